// safe
#include <assert.h>

union u{struct{unsigned a:4,b:12,c:16;} f; unsigned w;};
int main(void){
  union u x;
  x.w=0;
  x.f.b=0xabc;
  assert(x.w==0xabc0);
  x.f.c=0x1234;
  x.f.a=0xf;
  assert(x.w==0x1234abcf);
  union u*p=&x;
  p->f.a=3;
  assert(x.w==0x1234abc3);
  p->w=0xffffffff;
  assert(p->f.b==0xfff);
  union u arr[2];
  arr[1]=x;
  arr[1].f.c=0;
  assert(arr[1].w==0xffff&&x.f.c==0xffff);
  return 0;
}
