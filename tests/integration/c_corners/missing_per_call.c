// safe
#include <assert.h>
void read_number(int *number);

int main(void) {
  int x, y = 3;
  read_number(&x);
  int before = x;
  read_number(&y);
  assert(x == before);
  return 0;
}
