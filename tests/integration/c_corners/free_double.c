// bug: --checks pointer
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int*p=malloc(4),*q=p;
  free(p);
  if(__VERIFIER_nondet_int()) free(q);
  return 0;
}
