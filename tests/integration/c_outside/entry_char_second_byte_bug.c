// bug: --function f
#include <assert.h>
int g;
void f(unsigned char *p) { g = 0; if (p) *p = 1; assert(g != 256); }
