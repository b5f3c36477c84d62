// bug: --function f
// Whoever calls may have read a function's address that the entry does not mention.
#include <assert.h>
static void t(int x) { assert(x != 3); }
void (*known)(int) = t;
void f(void (*callback)(int)) { callback(3); }
