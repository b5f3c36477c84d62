// RUN: check --all-assertions --independent --checks all
// Executions go on behind assertions and checks that fail, but not behind abort. CBMC 6.6 finds the same bugs.
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

void expect(int cond) {
  if (!cond)
    __VERIFIER_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int(), a[3];
  assert(x == 5);
  assert(x >= 5);
  expect(x > 6);
  expect(x > 7);
  if (x >= 0)
    a[x] = 1;
  a[1] = 10 / x;
  assert(x >= 0);
  if (x < 0)
    abort();
  assert(x >= 0);
  return 0;
}
