// bug: --function f
// What p points to may point to g.
#include <assert.h>
int g;
void f(int **p) { g = 1; if (p && *p) **p = 2; assert(g == 1); }
