// bug: --function f
#include <assert.h>
int g;
void f(int *p) { g = 1; if (p == &g) { *p = 2; assert(g == 1); } }
