// bug
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);

union u{uint32_t w; uint8_t b[4];};
int main(void){
  union u x;
  x.w=__VERIFIER_nondet_uint();
  x.b[2]=7;
  assert(x.w>>16 != 0x0107);
  return 0;
}
