// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x;
  int a[2];
  if(__VERIFIER_nondet_int()) x=0;
  assert(x==0);
  return a[0];
}
