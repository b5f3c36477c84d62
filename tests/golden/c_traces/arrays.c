// RUN: check --checks bounds,assert
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct point { short x; short y; } path[3] = {{1, 2}, {3, 4}};
int grid[2][3];

int sum(const int *from, int count) {
  int total = 0;
  while (count-- > 0) total += *from++;
  return total;
}

int main(void) {
  int i = 1, j = 2;
  grid[i][j] = 7;
  grid[0][0] = sum(grid[1], 3);
  path[i + 1].x = -5;
  struct point copy = path[2];
  copy.y++;
  char word[] = "cat";
  word[0] = 'h';
  char *at = &word[1];
  *at = word[2];
  unsigned k = __VERIFIER_nondet_uint();
  if (k <= 3 && word[1] == 't') path[k] = copy;
  return 0;
}
