// RUN: transform --pass lower
// RUN: check
// Operands on demand cost a branch only if they do something.
#include <assert.h>
int count;
int next(void) { return ++count; }

int main(void) {
  int a = 1, b;
  b = a > 0 && a < 5;
  b = b || next();
  assert(count == 0);
  b = a == 1 && next() == 1 ? next() : 0;
  assert(b == 2 && count == 2);
  return 0;
}
