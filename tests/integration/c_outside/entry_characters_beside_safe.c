// safe: --function f
// That characters may be anywhere does not let an int be in a float.
#include <assert.h>
float g = 1;
int i = 1;
void f(int *p, char *c) {
  *c = 7;
  g = 1;
  *p = 3;
  assert(g == 1.0f);
}
