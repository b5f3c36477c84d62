// safe
#include <assert.h>
int g;
unsigned long identity(unsigned long x) { return x; }
int main(void) {
  int *p = (int *)identity((unsigned long)&g);
  assert(*p == 0);
  *p = 4;
  assert(g == 4);
  return 0;
}
