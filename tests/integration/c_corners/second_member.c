// safe
#include <assert.h>

struct in{short a,b;};
struct t{int x; struct in i; int y;};
int main(void){
  struct t t={1,{2,3},4};
  int*p=(int*)&t.i;
  assert(*p==0x30002);
  p[1]=8;
  assert(t.y==8);
  char*c=(char*)&t;
  c[0]=7;
  assert(t.x==7);
  return 0;
}
