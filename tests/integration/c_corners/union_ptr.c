// safe
#include <assert.h>
#include <stdint.h>

union u{int*p; uintptr_t n; char b[8];};
int main(void){
  int x=3;
  union u u;
  u.p=&x;
  union u v;
  v.n=u.n;
  assert(*v.p==3);
  *v.p=4;
  assert(x==4);
  struct{int t; union{int*p; float f;} d;} s={1,{.p=&x}};
  *s.d.p=5;
  assert(x==5);
  return 0;
}
