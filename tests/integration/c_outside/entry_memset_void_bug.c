// bug: --function f
#include <assert.h>
#include <string.h>
int g;
void f(void *p) { g = 1; if (p) memset(p, 0, 4); assert(g == 1); }
