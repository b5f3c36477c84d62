// safe: --function f
#include <assert.h>
int g;
void set(void) { g = 2; }
void f(void (*p)(void)) { g = 1; if (p == set) { p(); assert(g == 2); } }
