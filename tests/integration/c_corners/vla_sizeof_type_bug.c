// bug
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5)
    return 0;
  unsigned long size = sizeof(int[n++][3]);
  assert(size != 24 || n != 3);
  return 0;
}
