// bug: --function f
#include <assert.h>
int x, *gp = &x;
void f(int *p) { *gp = 1; if (p) *p = 2; assert(*gp == 1); }
