// safe
#include <assert.h>
struct vector { float x, y, z; };
int main(void) {
  struct vector v = {1, 2, 3};
  float *p = &v.x, sum = 0;
  for (int i = 0; i < 3; i++) sum += p[i];
  p[2] = 7;
  assert(sum == 6 && v.z == 7);
}
