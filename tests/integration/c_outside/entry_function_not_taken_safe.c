// safe: --function f
// Nobody has the address of a function that is only called.
#include <assert.h>
static void t(int x) { assert(x != 3); }
void g(void) { t(2); }
void f(void (*callback)(int)) { callback(3); }
