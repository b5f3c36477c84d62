// safe
#include <assert.h>
#include <stdint.h>

union u{uint32_t w; uint8_t b[4]; struct {uint16_t lo,hi;} h; float f;};
int main(void){
  union u x;
  x.w=0x11223344;
  assert(x.b[0]==0x44&&x.b[3]==0x11);
  assert(x.h.hi==0x1122);
  x.b[1]=0;
  assert(x.w==0x11220044);
  x.f=1.0f;
  assert(x.w==0x3f800000);
  x.h.hi=0x4000;
  assert(x.f==2.0f);
  return 0;
}
