// safe: --function f
#include <assert.h>
int g;
void f(const char *p) { g = 1; if (p == (char *)&g) assert(*p == 1); }
