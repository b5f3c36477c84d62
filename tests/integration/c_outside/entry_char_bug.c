// bug: --function f
// Characters may be anywhere.
#include <assert.h>
int g;
void f(char *p) { g = 1; if (p) *p = 2; assert(g == 1); }
