// bug: --function f
#include <assert.h>
void change(int *);
int g;
void f(int *p) { g = 1; change(p); assert(g == 1); }
