// RUN: transform --pass lower --data-model ilp32
// RUN: check --data-model ilp32
// memset and memcpy are one term; strlen is a loop over a model.
#include <assert.h>
#include <string.h>
int main(void) {
  int a[100], b[100];
  memset(a, 0, sizeof a);
  a[7] = 3;
  memcpy(b, a, sizeof b);
  assert(b[7] == 3 && b[99] == 0);
  assert(strlen("abc") == 3);
  return 0;
}
