// RUN: check
// RUN: check --tune unsupported=havoc
#include <setjmp.h>
jmp_buf environment;
int main(void) {
  if (setjmp(environment)) return 1;
  longjmp(environment, 1);
}
