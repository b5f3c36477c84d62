// bug: --function f
#include <assert.h>
double g;
void f(void *p) { if (p == &g) assert(0); }
