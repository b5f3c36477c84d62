// bug: --function f
#include <assert.h>
struct h { int n; };
struct s { struct h head; int x; } g;
void f(struct h *p) { g.head.n = 1; if (p) p->n = 2; assert(g.head.n == 1); }
