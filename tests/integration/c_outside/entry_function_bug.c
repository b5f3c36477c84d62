// bug: --function f
// A function whose address is taken.
#include <assert.h>
int g;
void set(void) { g = 2; }
void (*table[1])(void) = {set};
void f(void (*p)(void)) { g = 1; (void)table; if (p == table[0]) { p(); assert(g == 1); } }
