// safe: --function f
#include <assert.h>
void f(int *p) { int b = 1; if ((unsigned long)p == (unsigned long)&b) assert(0); }
