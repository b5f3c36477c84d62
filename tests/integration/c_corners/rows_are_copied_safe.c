// safe
#include <assert.h>
struct s { int m[5][5]; };
int main(void) {
  struct s a = {0}, b, *p = &b;
  a.m[3][2] = 9;
  *p = a;
  int *q = (int *)p;
  assert(q[17] == 9 && q[24] == 0);
}
