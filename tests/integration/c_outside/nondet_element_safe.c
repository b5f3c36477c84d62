// safe
#include <assert.h>
int *nondet_p(void);
int main(void) {
  int a[3] = {1, 2, 3};
  int *p = nondet_p();
  for (int i = 0; i < 3; i++) if (p == &a[i]) assert(*p == i + 1);
}
