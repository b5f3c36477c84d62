// RUN: transform --pass lower --data-model ilp32
// RUN: check --data-model ilp32
// The arguments behind the last parameter are an object of their own.
#include <assert.h>
#include <stdarg.h>
int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}
int main(void) {
  assert(sum(2, 3, 4) == 7);
  return 0;
}
