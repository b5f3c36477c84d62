// RUN: check
#include <assert.h>
#include <stdlib.h>
int closed;
static void last(void) { assert(closed); }
int main(void) {
  atexit(last);
  return 0;
}
