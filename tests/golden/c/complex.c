// RUN: check
// RUN: check --tune unsupported=havoc
// RUN: check --tune unsupported=havoc -DLOCAL
#include <assert.h>
#include <complex.h>
double complex z;
int main(void) {
#ifdef LOCAL
  double complex sum = 1.0 + 2.0 * I;
  assert(cabs(sum) > 2);
#else
  assert(creal(z) == 0);
#endif
  return 0;
}
