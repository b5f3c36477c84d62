// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct s{int a,b;};
void f(struct s*p,int*q){
  p->b=1;
  *q=2;
  assert(p->b==1);
}
int main(void){
  struct s s;
  f(&s,__VERIFIER_nondet_int()?&s.a:&s.b);
  return 0;
}
