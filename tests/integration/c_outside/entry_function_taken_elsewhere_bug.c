// bug: --function f
#include <assert.h>
static void t(int x) { assert(x != 3); }
static void (*table[2])(int) = {t};
void (*get(void))(int) { return table[0]; }
void f(void (*callback)(int)) { callback(3); }
