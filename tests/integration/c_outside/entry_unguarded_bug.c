// bug: --function f
// G is known to whoever calls f, though its address is never taken.
#include <assert.h>
int g;
void f(int *p) { g = 1; if (p) *p = 2; assert(g == 1); }
