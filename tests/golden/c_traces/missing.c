// RUN: check
#include <assert.h>
#include <stdlib.h>
struct pair { short a; float b; };
struct pair get(int);
int read_number(int *number, double *other);

int main(void) {
  struct pair s = get(3);
  int x = 0, a[2] = {0};
  double d = 0;
  if (read_number(&x, &d) != 1) return 1;
  read_number(&a[1], NULL);
  assert(s.a != -3 || s.b != 2.5f || x != 5 || d != 0.25 || a[1] != 7 || rand() != 4);
  return 0;
}
