// safe: --function f
#include <assert.h>
int *g, x = 7;
void f(int **p) { g = &x; if (p == &g) assert(**p == 7); }
