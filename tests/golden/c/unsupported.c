// RUN: check
// RUN: check --tune unsupported=havoc
#include <assert.h>
int main(void) {
  int x = 1;
  __asm__("nop" : "=r"(x));
  assert(x == 1);
  return 0;
}
