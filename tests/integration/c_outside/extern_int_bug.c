// bug: --function f
#include <assert.h>
extern int e;
void f(int *p) { e = 1; if (p) *p = 2; assert(e == 1); }
