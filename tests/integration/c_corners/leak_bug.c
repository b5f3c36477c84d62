// bug: --checks leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  char*a=malloc(3);
  char*b=malloc(4);
  if(__VERIFIER_nondet_int()) free(b);
  free(a);
  return 0;
}
