// safe: --function f
#include <assert.h>
void f(int *p) { int b = 1; if (p == &b) assert(0); if (p) *p = 2; assert(b == 1); }
