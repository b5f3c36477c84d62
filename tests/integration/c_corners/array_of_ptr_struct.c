// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct n{int k; struct n*kids[2];};
int main(void){
  struct n a={1,{0}},b={2,{0}},c={3,{&a,&b}};
  c.kids[__VERIFIER_nondet_int()&1]->k=9;
  assert(a.k==1||b.k==2);
  assert(a.k==1);
  return 0;
}
