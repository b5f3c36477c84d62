// bug
// A pointer that moves leaves its member for the next one of the same type.
#include <assert.h>
struct s { int a[2], guard; };
static void set(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 5; }
int main(void) {
  struct s s = {{0}, 1};
  set(s.a, 3);
  assert(s.guard == 1);
}
