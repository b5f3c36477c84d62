// bug: --function f
#include <assert.h>
int a[4];
void f(int *p) { if (p == a + 4) assert(0); }
