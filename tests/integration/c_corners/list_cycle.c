// bug: --unwind 7
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct n{struct n*next; int v;};
int main(void){
  struct n a,b,c;
  a.next=&b;
  b.next=&c;
  c.next=__VERIFIER_nondet_int()?&b:0;
  int k=0;
  for(struct n*p=&a;p&&k<5;p=p->next) k++;
  assert(k==3);
  return 0;
}
