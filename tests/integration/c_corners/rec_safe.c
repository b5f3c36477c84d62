// safe
#include <assert.h>

int even(int),odd(int);
int even(int n){
  return n==0?1:odd(n-1);
}
int odd(int n){
  return n==0?0:even(n-1);
}
int fac(int n){
  int r;
  if(n<=1) r=1;
  else r=n*fac(n-1);
  return r;
}
int depth(int n,int*p){
  int l=n;
  if(n==0) return *p;
  return depth(n-1,n==3?&l:p);
}
int main(void){
  assert(even(6)==1);
  assert(fac(5)==120);
  int z=9;
  assert(depth(5,&z)==3);
  return 0;
}
