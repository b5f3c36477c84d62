// RUN: transform --pass lower --data-model ilp32
// RUN: check --data-model ilp32
// A function without a body may change what its arguments point to.
#include <assert.h>
int unknown(int *p);
int main(void) {
  int x = 1, y = 2, *q = &y;
  int r = unknown(&x);
  assert(*q == 2);
  return x + r;
}
