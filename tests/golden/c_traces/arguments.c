// RUN: check --checks assert,pointer
#include <assert.h>

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  char *first = argv[1];
  if (first[0] == '-' && first[1] == 'x' && first[2] == '\0')
    assert(argv[2] != argv[argc]);
  return argv[0][0];
}
