// bug: --function f
#include <assert.h>
struct a {int x;}; struct b {struct a a; int y;} g;
void f(struct a *p){ struct b *q=(struct b*)p; g.y=1; if (q) q->y=2; assert(g.y==1);}
