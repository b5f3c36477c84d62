// RUN: check --unwindset main.0:6,main.1:6
// RUN: check --unwindset 16:6,unwindset.c:17:5 --unwind 1
// RUN: check --unwindset main.2:4
// RUN: check --unwindset main
// RUN: check --unwindset main.0:4 --unwinding-assertions
#include <assert.h>
int input(void) { int any; return any; }



int main(void) {
  int i, n = input(), s = 0;


  // The sum is 12 after six iterations of each.
  for (i = 0; i < n; i++) s++;
  for (i = 0; i < n; i++) s++;
  assert(s != 12);
  return 0;
}
