// bug
#include <assert.h>

int main(void){
  unsigned char a=0x80;
  assert((a<<1)==0);
  return 0;
}
