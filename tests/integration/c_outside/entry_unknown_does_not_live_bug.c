// bug: --function f --checks pointer
#include <assert.h>
int g;
void f(int *p) { if (p) *p = 1; }
