// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int(), y=0;
  if(x>0 || (y=1)) y+=2;
  assert(y!=3);
  return 0;
}
