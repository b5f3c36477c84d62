// safe: --function f --checks pointer,bounds
#include <assert.h>
int g;
void f(int *p) { if (p == &g) *p = 1; }
