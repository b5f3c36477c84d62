// safe
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

int main(void){
  int r;
  assert(__builtin_add_overflow(INT_MAX,1,&r)&&r==INT_MIN);
  assert(!__builtin_mul_overflow(3,4,&r)&&r==12);
  unsigned u;
  assert(__builtin_sub_overflow(1u,2u,&u)&&u==UINT_MAX);
  assert(__builtin_popcount(0xf0u)==4&&__builtin_clz(1u)==31&&__builtin_ctz(8u)==3&&__builtin_ffs(0)==0);
  assert(__builtin_bswap32(0x01020304u)==0x04030201u);
  assert(__builtin_expect(5,1)==5);
  assert(__builtin_offsetof(struct{char c; int i;},i)==4);
  assert(abs(-5)==5&&labs(-7L)==7);
  return 0;
}
