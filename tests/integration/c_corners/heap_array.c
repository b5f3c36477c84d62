// safe: --unwind 5
#include <assert.h>
#include <stdlib.h>

struct e{int k; struct e*l,*r;};
struct e*mk(int k){
  struct e*n=calloc(1,sizeof*n);
  n->k=k;
  return n;
}
void ins(struct e**t,int k){
  while(*t) t=k<(*t)->k?&(*t)->l:&(*t)->r;
  *t=mk(k);
}
int main(void){
  struct e*t=0;
  ins(&t,2);
  ins(&t,1);
  ins(&t,3);
  assert(t->k==2&&t->l->k==1&&t->r->k==3&&!t->l->l);
  struct e**v=malloc(3*sizeof*v);
  v[0]=t->l;
  v[1]=t;
  v[2]=t->r;
  for(int i=0;i<3;i++) assert(v[i]->k==i+1);
  v=realloc(v,5*sizeof*v);
  assert(v[2]->k==3);
  return 0;
}
