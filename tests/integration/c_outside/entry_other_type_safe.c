// safe: --function f
// What has a float is never an int.
#include <assert.h>
float g;
void f(int *p) { g = 1; if (p) *p = 2; assert(g == 1); }
