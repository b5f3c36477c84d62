// bug
// A struct that is otherwise reached only through a pointer to its first member is filled as a whole.
#include <assert.h>
#include <string.h>
struct S { long a, b; };
long get(long *p) { return *p; }
int main(void) {
  struct S s;
  *(long *)&s = 1;
  memset(&s, 0, sizeof s);
  assert(get((long *)&s) == 1);
}
