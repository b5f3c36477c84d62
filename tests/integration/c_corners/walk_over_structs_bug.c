// bug
#include <assert.h>
struct a { int v; };
struct s { struct a a; struct { struct a b; } inner; };
int main(void) {
  struct s s = {{1}, {{2}}};
  struct a *p = &s.a;
  p[1].v = 3;
  assert(s.inner.b.v == 2);
}
