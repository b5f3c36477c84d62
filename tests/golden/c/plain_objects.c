// RUN: transform --pass lower
// RUN: check
// Objects whose address is never taken are IR variables: one for each leaf, a map for an array.
#include <assert.h>
struct item { int key; char name[4]; };
struct item items[2] = {{1, "ab"}, {.key = 2}};
int matrix[2][3];

int main(void) {
  int i = 1;
  items[i].name[2] = 'c';
  items[0] = items[i];
  matrix[i][2] = items[0].key;
  assert(items[0].name[2] == 'c' && matrix[1][2] == 2 && matrix[0][2] == 0);
  return 0;
}
