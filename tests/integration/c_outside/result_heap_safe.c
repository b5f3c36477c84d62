// safe
#include <assert.h>
#include <stdlib.h>
void ext1(int *);
int *ext2(void);
int main(void) {
  int *h = malloc(sizeof *h), *u = malloc(sizeof *u);
  if (!h || !u) return 0;
  ext1(h);
  *h = 1; *u = 3;
  int *a = ext2();
  if (a == h) assert(*a == 1);
  assert(a != u);
  if (a) *a = 2;
  assert(*u == 3);
}
