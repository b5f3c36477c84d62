// safe
#include <assert.h>

struct b{int pad; signed a:5; unsigned b:11; _Bool c:1; unsigned long long d:40;};
void set(struct b*p,int v){
  p->a=v;
  p->b=v;
  p->c=v;
  p->d=(unsigned long long)v*v*v;
}
int main(void){
  struct b x,y;
  set(&x,20);
  assert(x.a==-12&&x.b==20&&x.c==1&&x.d==8000);
  set(&y,2047);
  assert(y.a==-1&&y.b==2047);
  y=x;
  y.b++;
  assert(y.b==21&&x.b==20);
  x.d=1ull<<40;
  assert(x.d==0);
  x.d--;
  assert(x.d==0xffffffffffull);
  struct b arr[2]={{0}};
  arr[1].a=-16;
  arr[1].a--;
  assert(arr[1].a==15&&arr[0].a==0);
  return 0;
}
