// RUN: transform --pass lower
// RUN: check
// A call through a pointer branches over the functions that it may point to.
#include <assert.h>
extern int nondet_int(void);
int up(int x) { return x + 1; }
int down(int x) { return x - 1; }
int other(int x) { return 0; }

int main(void) {
  int (*step)(int) = nondet_int() ? up : down;
  int x = step(5);
  assert(x == 4 || x == 6);
  return other(x);
}
