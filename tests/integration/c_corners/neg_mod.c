// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void){
  int x=__VERIFIER_nondet_int();
  __VERIFIER_assume(x>-100&&x<100);
  assert(x%7>=0);
  return 0;
}
