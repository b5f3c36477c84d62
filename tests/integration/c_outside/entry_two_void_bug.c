// bug: --function f
#include <assert.h>
void f(void *p, void *q) { if (p == q && p) assert(0); }
