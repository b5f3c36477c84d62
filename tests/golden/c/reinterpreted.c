// RUN: transform --pass lower --data-model ilp32
// RUN: check --data-model ilp32
// A class that is read as values of several sizes is made of bytes.
#include <assert.h>
int main(void) {
  int x = 0x01020304;
  unsigned char *p = (unsigned char *)&x;
  assert(p[0] == 4);
  p[3] = 0;
  assert(x == 0x020304);
  return 0;
}
