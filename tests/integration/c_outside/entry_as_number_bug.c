// bug: --function f
#include <assert.h>
int g;
void f(int *p){ long a=(long)p, b=(long)&g; g=1; if (a==b) { *p=2; assert(g==1);} }
