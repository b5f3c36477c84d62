// safe
#include <assert.h>

int g;
void f(int*p,int*q){
  *p=1;
  *q=2;
}
int main(void){
  int x;
  f(&x,&x);
  assert(x==2);
  f(&g,&x);
  assert(g==1&&x==2);
  f(&x,&g);
  assert(x==1&&g==2);
  int*h=&g;
  g=7;
  assert(*h==7);
  *h=8;
  assert(g==8);
  return 0;
}
