// safe
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void){
  int x=0x01020304;
  unsigned char*p=(unsigned char*)&x;
  assert(p[0]==4&&p[3]==1);
  p[1]=0xff;
  assert(x==0x0102ff04);
  short*s=(short*)&x;
  assert(s[1]==0x0102);
  double d=1.0;
  uint64_t b;
  memcpy(&b,&d,8);
  assert(b==0x3ff0000000000000ull);
  uintptr_t u=(uintptr_t)&x;
  assert((int*)u==&x&&*(int*)u==x);
  return 0;
}
