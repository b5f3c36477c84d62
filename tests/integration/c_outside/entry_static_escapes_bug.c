// bug: --function f
// S can be found in what is known.
#include <assert.h>
static int s;
int *gp = &s;
void f(int *p) { s = 1; if (p) *p = 2; assert(s == 1); }
