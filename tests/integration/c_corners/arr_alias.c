// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

void f(int*a,int*b){
  *a=1;
  *b=2;
  assert(*a==1);
}
int main(void){
  int x[2];
  int i=__VERIFIER_nondet_int()&1, j=__VERIFIER_nondet_int()&1;
  f(&x[i],&x[j]);
  return 0;
}
