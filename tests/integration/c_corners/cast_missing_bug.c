// bug
// What a function without a body writes to a struct is read through a pointer to another type.
#include <assert.h>
struct S { long a, b; };
void outside(struct S *);
int main(void) {
  struct S s;
  long *p = (long *)&s;
  *p = 1;
  outside(&s);
  assert(*p == 1);
}
