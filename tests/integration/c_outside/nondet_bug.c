// bug
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int main(void) { int b = 1; int *a = __VERIFIER_nondet_pointer(); if (a == &b) { *a = 2; assert(b == 1); } }
