// RUN: check
#include <assert.h>
#include "half.h"
int main(void) {
  int y = half(9);
  assert(y == 5);
  return 0;
}
