// safe
#include <assert.h>
#include <limits.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void){
  unsigned x=__VERIFIER_nondet_uint();
  assert(x+1>x || x==UINT_MAX);
  assert(-x == 0u-x);
  assert(x-x==0);
  return 0;
}
