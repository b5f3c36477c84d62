// bug
// A struct that is copied into a union changes its other members.
#include <assert.h>
struct A { short x; unsigned char y; };
union U { struct A a; short i; };
int main(void) {
  struct A a = {1, 3};
  union U u = {.i = 5};
  u.a = a;
  assert(u.i == 5);
}
