// safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void die(int c){
  if(c) exit(1);
}
int main(void){
  int x=__VERIFIER_nondet_int();
  die(x<0);
  assert(x>=0);
  if(x==5) abort();
  assert(x!=5);
  return 0;
}
