// safe
#include <assert.h>

struct s{int a[3]; struct {char c; short d;} in; struct s*self;};
struct s make(int x){
  struct s r={{x,x+1,x+2},{'q',-3},0};
  return r;
}
int main(void){
  struct s a=make(1), b;
  b=a;
  b.a[1]=50;
  b.self=&a;
  assert(a.a[1]==2&&b.a[0]==1);
  assert(b.self->a[2]==3);
  struct s arr[2]={a,b};
  arr[1].self=&arr[0];
  arr[0].in.d=9;
  assert(arr[1].self->in.d==9&&a.in.d==-3);
  assert(make(7).a[1]==8);
  b=*b.self;
  assert(b.a[1]==2);
  return 0;
}
