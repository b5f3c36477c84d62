// bug: --function f
#include <assert.h>
#include <string.h>
struct s { int x, y; } g;
void f(struct s *p) { struct s t = {3, 4}; g.y = 1; if (p) memcpy(p, &t, sizeof t); assert(g.y == 1); }
