// bug: --function f
#include <assert.h>
int *f0(void){ static int s; return &s; } int chk(void);
void f(int *p){ int *q=f0(); *q=1; if(p) *p=2; assert(*q==1);}
