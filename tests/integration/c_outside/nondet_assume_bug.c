// bug
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
struct s { int x, y; };
int main(void) {
  struct s b = {1, 2};
  struct s *a = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(a == &b);
  a->y = 5;
  assert(b.y == 2);
}
