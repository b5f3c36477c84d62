// bug: --function f
#include <assert.h>
struct s {unsigned b:3; int x;} g;
void f(struct s *p){ g.b=1; if(p) p->b=2; assert(g.b==1);}
