// bug: --function f
// Two pointers from outside may be equal.
#include <assert.h>
void f(int *p, int *q) { if (!p || !q) return; *p = 1; *q = 2; assert(*p == 1); }
