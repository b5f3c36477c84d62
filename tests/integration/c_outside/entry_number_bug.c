// bug: --function f
#include <assert.h>
static int s;
void f(int *p) { s = 1; if (p == (int *)0x1000) assert(0); if (p == &s) s = 2; }
