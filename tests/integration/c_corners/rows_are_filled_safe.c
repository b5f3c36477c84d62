// safe
#include <assert.h>
static int sum(int m[][3]) {
  int s = 0;
  for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) s += m[i][j];
  return s;
}
int main(void) {
  int m[2][3] = {0};
  m[1][2] = 7;
  assert(sum(m) == 7);
}
