// safe: --checks pointer,bounds,assert --unwind 4
#include <assert.h>

int main(int argc, char *argv[]) {
  int n = 0;
  for (int i = 1; i < argc && i < 3; i++)
    if (argv[i][0] == 'v') n++;
  argv[0][0] = 'x';
  assert(argv[0][0] == 'x' && argv[argc] == 0);
  return n;
}
