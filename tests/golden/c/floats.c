// RUN: transform --pass lower
// RUN: check
// Floats are those of IEEE 754.
#include <assert.h>
extern float nondet_float(void);
int main(void) {
  float f = nondet_float();
  double d = f;
  if (f > 0.0f && f < 1.0f) assert((int)(d * 2) <= 1 && d == f);
  assert(f != f || f - f == 0 || f - f != f - f);
  return 0;
}
