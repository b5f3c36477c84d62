// bug: --function f
// Signed and unsigned may be the same.
#include <assert.h>
int g;
void f(unsigned *p) { g = 1; if (p) *p = 2; assert(g == 1); }
