// bug: --function f
#include <assert.h>
struct s { int x, y; };
void f(struct s *p, int *q) { if (!p || !q) return; p->y = 1; *q = 2; assert(p->y == 1); }
