// safe
#include <assert.h>
void *__VERIFIER_nondet_pointer(void);
int main(void){ int a=1,b=2; int *p=__VERIFIER_nondet_pointer(); int *q=__VERIFIER_nondet_pointer(); if (p==&a && q==&b) { *p=5; assert(*q==2 && a==5); } }
