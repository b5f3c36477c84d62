// safe
#include <assert.h>
#include <stddef.h>

struct t{char c; int x; double d;};
int main(void){
  struct t t={1,2,3.0};
  int*p=(int*)((char*)&t+offsetof(struct t,x));
  assert(*p==2);
  *p=7;
  assert(t.x==7);
  double*d=(double*)(&t.x+1);
  assert(*d==3.0);
  return 0;
}
