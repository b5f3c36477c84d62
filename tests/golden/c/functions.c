// RUN: transform --pass lower
// RUN: check
// A parameter that changes becomes a local; recursion is recursion; structs are passed leaf by leaf.
#include <assert.h>
struct point { int x, y; };
int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int countdown(int n) { while (n > 0) n--; return n; }
struct point swapped(struct point p) { struct point q = {p.y, p.x}; return q; }

int main(void) {
  struct point p = swapped((struct point){1, 2});
  assert(p.x == 2 && p.y == 1);
  assert(factorial(4) == 24);
  assert(countdown(3) == 0);
  return 0;
}
