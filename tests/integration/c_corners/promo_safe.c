// safe
#include <assert.h>

int main(void){
  unsigned char a=200,b=100;
  unsigned char c=a+b;
  assert(a+b==300);
  assert(c==44);
  assert((unsigned char)~a==55);
  assert(~a==-201);
  short s=-1;
  assert((unsigned)s==0xffffffffu);
  assert(sizeof(a+b)==4);
  return 0;
}
