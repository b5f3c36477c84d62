// bug: --function f
// An int that is in a struct with a float may be changed.
#include <assert.h>
struct { float g; int i; } s;
void f(int *p, char *c) {
  *c = 7;
  s.i = 1;
  *p = 3;
  assert(s.i == 1);
}
