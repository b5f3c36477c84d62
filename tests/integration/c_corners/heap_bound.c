// bug: --checks bounds
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void){
  unsigned n=__VERIFIER_nondet_uint();
  __VERIFIER_assume(n<100);
  int*p=malloc(n*sizeof*p);
  for(unsigned i=0;i<=n&&i<2;i++) p[i]=0;
  free(p);
  return 0;
}
