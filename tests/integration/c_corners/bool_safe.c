// safe
#include <assert.h>
#include <stdbool.h>

int main(void){
  _Bool b=0.5;
  assert(b==1);
  b=256;
  assert(b);
  b=(unsigned char)256;
  assert(!b);
  b=(void*)0;
  assert(!b);
  int x;
  b=&x;
  assert(b);
  assert(sizeof(_Bool)==1);
  b=b&&0;
  assert(!b);
  assert(!!7==1);
  int i=(bool)2+(bool)3;
  assert(i==2);
  return 0;
}
