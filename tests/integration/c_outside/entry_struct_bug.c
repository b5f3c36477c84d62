// bug: --function f
#include <assert.h>
struct s { int x, y; } g;
void f(struct s *p) { g.y = 1; if (p) p->y = 2; assert(g.y == 1); }
