// safe
#include <assert.h>

int main(void){
  int x=-8;
  assert(x>>1==-4);
  unsigned u=0x80000000u;
  assert(u>>31==1);
  assert((1ull<<40)>>38==4);
  char c=-128;
  assert(c>>7==-1);
  assert(((unsigned char)c)>>7==1);
  return 0;
}
