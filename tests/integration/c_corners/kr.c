// safe: --tune std=gnu89
#include <assert.h>

int add(a,b) int a;
char b;
{
  return a+b;
}
static int twice(x) {
  return 2*x;
}
int main() {
  assert(add(3,4)==7);
  assert(twice(5)==10);
  return 0;
}
