// RUN: transform --pass lower
// RUN: check
// A union that is never pointed to is one bit-vector; bit-fields are as narrow as they say.
#include <assert.h>
union word { float f; unsigned u; struct { unsigned short low, high; } h; };
struct flags { unsigned mode : 3; int level : 4; };

int main(void) {
  union word w;
  w.f = 1.0f;
  assert(w.u == 0x3f800000 && w.h.high == 0x3f80);
  struct flags f = {9, 0};
  f.level = 9;
  assert(f.mode == 1 && f.level == -7);
  return 0;
}
