// safe
#include <assert.h>

struct p{int x,y;};
struct p g[4];
int main(void){
  for(int i=0;i<4;i++){
    g[i].x=i;
    g[i].y=-i;
  }
  struct p*q=g+1;
  assert(q[1].x==2&&(q+2)->y==-3);
  q++;
  assert(q-g==2);
  assert(&g[3]-q==1);
  assert((char*)&q->y-(char*)q==4);
  int s=0;
  for(struct p*r=g;r!=g+4;++r) s+=r->x;
  assert(s==6);
  return 0;
}
