// safe: --function f
#include <assert.h>
int g;
void f(int *p) { g = 1; if (p == &g) assert(*p == 1); }
