// safe
#include <assert.h>
#include <stdlib.h>

// The name of a type of variable length in `sizeof`: the lengths are evaluated, once.
struct pair {
  int first;
  char second;
};
typedef short row[4];

#define CHECK(condition) assert(condition)

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5)
    return 0;
  int before = n;
  assert(sizeof(int[n]) == n * sizeof(int));
  CHECK(sizeof(unsigned long[n][3]) == 3 * n * sizeof(long));
  assert(sizeof(char *const[2][n]) == 2 * n * sizeof(void *));
  assert(sizeof(struct pair[n]) == n * sizeof(struct pair));
  assert(sizeof(row[n + 1]) == (n + 1) * sizeof(row));
  typedef int line[n];
  unsigned long size = sizeof(short int[n++]);
  assert(n == before + 1 && size == before * sizeof(short));
  assert(sizeof(line) == before * sizeof(int));
  assert(sizeof(line[n]) == n * before * sizeof(int));
  assert(sizeof(int (*)[n]) == sizeof(void *));
  int *p = malloc(sizeof(int[n]));
  if (p) {
    p[before] = 7;
    assert(p[before] == 7);
    free(p);
  }
  return 0;
}
