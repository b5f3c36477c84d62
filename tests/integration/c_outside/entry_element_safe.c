// safe: --function f
#include <assert.h>
int a[4];
void f(int *p) { a[2] = 1; a[3] = 5; if (p == a + 2) assert(p[0] == 1 && p[1] == 5); }
