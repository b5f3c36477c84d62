// bug: --function f
// A struct and its first member.
#include <assert.h>
struct s { int x, y; };
void f(struct s *p, int *q) { if (!p || !q) return; p->x = 1; *q = 2; assert(p->x == 1); }
