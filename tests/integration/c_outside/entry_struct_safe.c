// safe: --function f
#include <assert.h>
struct s { int x, y; } g;
void f(struct s *p) { g.x = 1; g.y = 2; if (p == &g) assert(p->x == 1 && p->y == 2); }
