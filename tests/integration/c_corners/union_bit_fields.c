// safe: --tune integers=bits
// Bit-fields of a struct that is copied into and out of a union.
#include <assert.h>
struct B { unsigned a : 3; int b : 5; _Bool c : 1; unsigned d : 15; };
union U { struct B b; unsigned char first; };
int main(void) {
  struct B b = {5, -3, 1, 0x1234};
  union U u;
  u.b = b;
  u.b.d++;
  struct B copy = u.b;
  assert(copy.a == 5 && copy.b == -3 && copy.c && copy.d == 0x1235 && u.first == 0xed);
  copy.c = 0;
  u = (union U){.b = copy};
  assert(!u.b.c && u.b.a == 5);
}
