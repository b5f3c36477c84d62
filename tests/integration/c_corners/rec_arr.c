// safe
#include <assert.h>

int f(int n){
  int a[2]={n,n+1};
  int*p=a;
  if(n<2) f(n+1);
  p[1]+=a[0];
  return a[1];
}
void h(int n,int**out){
  int x=n;
  if(n==0){
    *out=0;
    return;
  }
  int*in=&x;
  h(n-1,&in);
  assert(in==0);
  assert(x==n);
  *out=in;
}
int main(void){
  assert(f(0)==1);
  int y,*p=&y;
  h(2,&p);
  assert(p==0);
  return 0;
}
