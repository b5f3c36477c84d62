// bug: --function f
#include <assert.h>
void f(void (*p)(int *)) { int x = 1; p(&x); assert(x == 1); }
