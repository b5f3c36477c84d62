// bug
#include <assert.h>
int g;
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int *p = (int *)(unsigned long)__VERIFIER_nondet_uint();  /* may be the address of anything, also of what no object is at */
  unsigned long h = (unsigned long)&g;
  if (h == 5) return 0;
  assert(*p != 5);
  return 0;
}
