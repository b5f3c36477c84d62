// bug: --function f
#include <assert.h>
#include <string.h>
struct s { int x, y; } g;
void f(struct s *p) { g.y = 1; if (p) memset(p, 0, sizeof *p); assert(g.y == 1); }
