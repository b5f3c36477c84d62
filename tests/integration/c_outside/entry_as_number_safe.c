// safe: --function f
#include <assert.h>
int g;
void f(int *p){ long a=(long)p, b=(long)&g; g=1; if (a==b) assert(*p==1); }
