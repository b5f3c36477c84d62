// safe
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
struct s { int x, y; };
int main(void) {
  struct s b = {1, 2}, c = {3, 4};
  struct s *a = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(a == &b || a == &c);
  assert(a->y == a->x + 1);
  a->y = 5;
  assert((b.y == 5) != (c.y == 5));
}
