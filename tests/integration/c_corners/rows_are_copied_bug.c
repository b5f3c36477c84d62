// bug
#include <assert.h>
struct s { int m[2][3]; };
int main(void) {
  struct s z, *p = &z;
  int *q = (int *)p;
  for (int i = 0; i < 6; i++) q[i] = 1;
  *p = (struct s){{{7}}};
  assert(q[5] == 1);
}
