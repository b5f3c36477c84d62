// safe: --function f
#include <assert.h>
struct s { long n; int *where; };
int g; static int h;
void f(struct s *p) {
  int b = 3;
  g = 1; h = 2;
  if (p && p->where == &g) assert(*p->where == 1);
  if (p) assert(p->where != &b && p->where != &h);
}
