// bug: --function f
// An array of characters may hold an int.
#include <assert.h>
char room[8];
int i = 1;
void f(int *p, char *c) {
  room[0] = 1;
  *p = 3;
  assert(room[0] == 1);
  *c = 4;
}
