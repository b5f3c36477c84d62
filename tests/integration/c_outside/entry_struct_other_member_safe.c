// safe: --function f
// A whole struct, so x is x.
#include <assert.h>
struct s { int x, y; } g;
void f(struct s *p) { g.y = 1; if (p) p->x = 2; assert(g.y == 1); }
