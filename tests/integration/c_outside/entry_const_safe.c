// safe: --function f
// Nothing is written to what is const.
#include <assert.h>
const int g = 1;
void f(int *p) { if (p) *p = 2; assert(g == 1); }
