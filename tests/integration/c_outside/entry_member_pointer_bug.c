// bug: --function f
#include <assert.h>
struct s { long n; int *where; };
int g;
void f(struct s *p) { g = 1; if (p && p->where) *p->where = 2; assert(g == 1); }
