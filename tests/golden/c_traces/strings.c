// RUN: check --checks assert,bounds,pointer
#include <assert.h>
#include <string.h>
#include <stdlib.h>
char *copy(const char *from) {
  size_t n = strlen(from);
  char *to = malloc(n);
  strcpy(to, from);
  return to;
}
int main(void) {
  const char *name = "ab";
  char *mine = copy(name);
  memset(mine, 'x', 2);
  free(mine);
  return mine[0];
}
