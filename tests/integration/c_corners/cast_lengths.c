// safe: --tune integers=bits
// Scalars and structs of which only a part is filled or copied, also by lengths that are not constant.
#include <assert.h>
#include <string.h>
struct S { int a, b; };
int main(void) {
  long x = -1;
  memset(&x, 0, 4);
  assert(x == -4294967296L);
  struct S s = {-1, -1};
  memset(&s, 0, 6);
  assert(s.a == 0 && s.b == -65536);
  struct S t[2] = {{1, 2}, {3, 4}};
  int n = s.a + 3;
  memset(t, 1, n);
  assert(t[0].a == 0x010101 && t[0].b == 2);
  memcpy(&t[0].a, &t[1].a, n + 5);
  assert(t[0].b == 4);
  int v[3] = {-1, -1, -1}, w[3] = {};
  memset(v, 0, n * 2);
  memcpy(w + 1, v, n * sizeof *v - 4);
  assert(v[1] == -65536 && w[2] == -65536 && w[1] == 0 && w[0] == 0);
}
