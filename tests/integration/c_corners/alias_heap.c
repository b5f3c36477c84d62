// bug
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int*a=malloc(4),*b=malloc(4);
  *a=1;
  *b=2;
  int*p=__VERIFIER_nondet_int()?a:b;
  *p=7;
  assert(*b==2);
  return 0;
}
