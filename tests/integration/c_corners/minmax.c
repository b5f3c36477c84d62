// bug: --tune integers=bits
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int();
  int y=x<0?-x:x;
  assert(y>=0);
  return 0;
}
