// safe: --function f
#include <assert.h>
int g;
void f(int *p) { if (p == &g) assert(*p == 0); }
