// safe
#include <assert.h>

struct v{int x,y;};
struct w{struct v a,b; struct v arr[2];};
void mv(struct v*p,int d){
  p->x+=d;
  p->y-=d;
}
int main(void){
  struct w w={{1,2},{3,4},{{5,6},{7,8}}};
  mv(&w.b,10);
  mv(&w.arr[1],1);
  struct v*q=w.arr;
  mv(q,100);
  assert(w.a.x==1&&w.b.x==13&&w.arr[1].y==7&&w.arr[0].x==105);
  int*p=&w.arr[0].y;
  *p=0;
  assert(w.arr[0].y==0);
  struct w z=w;
  mv(&z.a,1);
  assert(w.a.x==1&&z.a.x==2);
  return 0;
}
