// safe
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct s{int a[2]; struct{char c; int d;} in;};
int f(struct s x){
  x.a[1]=99;
  x.in.d++;
  return x.in.d;
}
struct s g(struct s x,int k){
  x.a[k]=7;
  return x;
}
int main(void){
  struct s x={{1,2},{'c',3}},y,z;
  assert(f(x)==4&&x.a[1]==2&&x.in.d==3);
  z=y=x;
  assert(z.in.c=='c'&&y.a[0]==1);
  y=g(x,0);
  assert(y.a[0]==7&&x.a[0]==1);
  struct s w=__VERIFIER_nondet_int()?x:y;
  assert(w.a[0]==1||w.a[0]==7);
  assert(w.in.d==3);
  assert(g(g(x,0),1).a[1]==7);
  struct s*p=&w;
  *p=x;
  assert(w.a[0]==1);
  (*p).in.d=8;
  assert(w.in.d==8);
  return 0;
}
