// safe
#include <assert.h>
#include <stddef.h>

struct l{struct l*n;};
struct t{int v; struct l node;};
int main(void){
  struct t a={1,{0}},b={2,{0}};
  a.node.n=&b.node;
  struct l*p=a.node.n;
  struct t*q=(struct t*)((char*)p-offsetof(struct t,node));
  assert(q->v==2);
  q->v=9;
  assert(b.v==9);
  return 0;
}
