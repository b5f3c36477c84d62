// bug: --function f
#include <assert.h>
struct s{int n; int d[];}; int g;
void f(struct s *p, int *q){ if(!p||!q) return; p->d[1]=1; *q=2; assert(p->d[1]==1);}
