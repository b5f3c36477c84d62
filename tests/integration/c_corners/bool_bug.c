// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int();
  _Bool b=x;
  assert((int)b==x || x<0 || x>2);
  return 0;
}
