// safe: --tune integers=bits
// One pointer to a struct, to its first member and to its second; the parts of a value that needs an address.
#include <assert.h>
struct S { int a, b; };
union U { int v[2]; long l; };
long second(union U u) { return u.v[1]; }
int by_address(struct S s) { int *p = &s.b; return *p; }
int unused(int n) { int *p = &n; return p != 0; }
int main(void) {
  struct S s = {1, 2};
  void *q = &s;
  q = &s.a;
  q = &s.b;
  *(int *)q = 7;
  assert(s.a == 1 && by_address(s) == 7 && unused(1));
  union U u = {.l = 0x500000000L};
  assert(second(u) == 5);
}
