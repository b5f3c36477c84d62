// safe: --function f
// Nobody outside knows the address of g.
#include <assert.h>
static int g;
void f(int *p) { g = 1; if (p == &g) assert(0); if (p) *p = 2; assert(g == 1); }
