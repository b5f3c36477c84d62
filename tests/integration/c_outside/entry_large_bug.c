// bug: --function f
#include <assert.h>
struct s{int x[20]; char n[8];} t[10];
void f(int *p){ t[7].x[13]=1; if(p) *p=2; assert(t[7].x[13]==1);}
