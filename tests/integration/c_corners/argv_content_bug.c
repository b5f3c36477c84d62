// bug
#include <assert.h>

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  assert(argv[0] != 0 && argv[3] == 0);
  if (argv[1][0] == '-' && argv[1][1] == 'x' && argv[1][2] == 0) assert(argv[2][0] != 'q');
  return 0;
}
