// RUN: transform --pass lower
// RUN: check
// Loops stay cycles; a switch falls through; goto, break and continue are jumps.
#include <assert.h>
extern int nondet_int(void);

int main(void) {
  int n = nondet_int(), sum = 0;
  for (int i = 0; i < 3; i++) {
    if (i == n) continue;
    sum += i;
  }
  do {
    sum--;
  } while (sum > 5);
  switch (n) {
    case 0:
    case 1: sum = 1;
    case 5 ... 7: sum++; break;
    default: goto end;
  }
  assert(sum == 2 || n > 1);
end:
  return sum;
}
