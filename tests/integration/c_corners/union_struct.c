// safe
#include <assert.h>

struct v{int tag; union{int i; float f; char*s;} u;};
int main(void){
  struct v a={1,{.i=5}},b;
  b=a;
  b.u.f=1.0f;
  assert(a.u.i==5&&b.u.i==0x3f800000);
  struct v*p=&a;
  p->u.s="x";
  assert(p->u.s[0]==120&&p->tag==1);
  struct v arr[2];
  arr[1]=a;
  assert(arr[1].u.s==p->u.s);
  return 0;
}
