// bug: --function f
#include <assert.h>
int a[4];
void f(int *p) { a[2] = 1; if (p == &a[2]) { *p = 2; assert(a[2] == 1); } }
