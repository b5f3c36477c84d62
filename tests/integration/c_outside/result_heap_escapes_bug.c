// bug
#include <assert.h>
#include <stdlib.h>
void ext1(int *);
int *ext2(void);
int main(void) {
  int *h = malloc(sizeof *h);
  if (!h) return 0;
  ext1(h);
  *h = 1;
  int *a = ext2();
  if (a == h) { *a = 2; assert(*h == 1); }
}
