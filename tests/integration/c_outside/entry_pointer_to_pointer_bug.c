// bug: --function f
#include <assert.h>
int *g, x, y;
void f(int **p) { g = &x; if (p) *p = &y; assert(g == &x); }
