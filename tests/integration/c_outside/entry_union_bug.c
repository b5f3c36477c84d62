// bug: --function f
#include <assert.h>
union u { int i; float x; } g;
void f(int *p) { g.i = 1; if (p) *p = 2; assert(g.i == 1); }
