// safe
#include <assert.h>

int calls;
typedef int (*function)(void);
int one(void) { return 1; }
function chosen(void) { calls++; return one; }

int main(void) {
  int n = 3, i = 0, j = 0;
  int a[2][n], b[2][3];
  unsigned long size = sizeof(a[i++]);
  assert(i == 1 && size == 3 * sizeof(int));
  (void)sizeof(b[j++]);
  assert(j == 0);
  (void)b[j++];
  b[j++];
  assert(j == 2);
  (void)*chosen();
  assert(calls == 1);
  return 0;
}
