// RUN: check --all-assertions
// What is known when the program is read is asserted all the same; what no execution gets to is not listed.
#include <assert.h>

int __VERIFIER_nondet_int(void);
void reach_error(void);
void __VERIFIER_assert(int);

static void expect(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(1);
  assert(sizeof(int) == 4);
  assert(x == x);
  if (x > 3) {
    assert(2 > 1);
    assert(x > 4);
  }
  expect(1);
  __VERIFIER_assert(3);
  if (sizeof(int) != 4)
    reach_error();
  if (0)
    assert(x > 5);
  return (assert("text"), 0);
}
