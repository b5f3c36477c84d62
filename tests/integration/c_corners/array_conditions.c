// safe
// An array that is used as a condition, or compared, has an address, although nothing takes it.
#include <assert.h>
struct S { int x[2]; };
int main(void) {
  char a[4];
  int b[2][2];
  struct S s = {{1, 2}};
  assert(a);
  assert(!!b[1] && s.x);
  assert(b[0] != b[1]);
  assert((long)s.x != 0);
  assert(s.x[a ? 1 : 0] == 2);
  return a == 0;
}
