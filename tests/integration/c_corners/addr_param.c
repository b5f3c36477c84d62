// safe
#include <assert.h>

void inc(int*p){
  ++*p;
}
int f(int x,char c){
  inc(&x);
  char*q=&c;
  *q='z';
  return x*(c=='z');
}
struct p{int x,y;};
int g(struct p v){
  struct p*q=&v;
  q->y=5;
  int*r=&v.x;
  *r=6;
  return v.x*10+v.y;
}
int main(void){
  int x=1;
  assert(f(x,'a')==2&&x==1);
  struct p v={1,2};
  assert(g(v)==65&&v.x==1);
  return 0;
}
