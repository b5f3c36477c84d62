// bug
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);

int main(void) {
  double x = __VERIFIER_nondet_double();
  __VERIFIER_assume(x >= 0 && x <= 1);
  assert(x * x <= x && x + 1.0 != 1.0);
  return 0;
}
