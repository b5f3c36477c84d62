// bug
// What a pointer reaches when it has moved may be larger than what it pointed to.
#include <assert.h>
struct s { int a; char m[4]; int z; };
int main(void) {
  struct s s = {0};
  char *p = s.m;
  p += 4;
  *(int *)p = 7;
  assert(s.z == 0);
}
