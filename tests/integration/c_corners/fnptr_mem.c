// safe
#include <assert.h>
#include <stdlib.h>

int inc(int x){
  return x+1;
}
int dec(int x){
  return x-1;
}
struct ops{int(*f[2])(int); int(**g)(int);};
int main(void){
  struct ops o={{inc,dec},0};
  o.g=o.f;
  assert(o.g[1](5)==4);
  int(**p)(int)=malloc(sizeof*p);
  *p=o.f[0];
  assert((*p)(1)==2);
  struct ops c=o;
  c.f[0]=dec;
  assert(o.f[0](1)==2&&c.f[0](1)==0);
  return 0;
}
