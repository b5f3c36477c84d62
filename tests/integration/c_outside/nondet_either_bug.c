// bug
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int main(void){ int a=1,b=2; int *p=__VERIFIER_nondet_pointer(); if (p==&a || p==&b) { *p=0; assert(a==1); } }
