// safe: --unwind 5
#include <assert.h>

int f(int n){
  int a[n];
  for(int i=0;i<n;i++) a[i]=i;
  int s=0;
  for(int i=0;i<n;i++) s+=a[i];
  assert(sizeof a==n*sizeof(int));
  return s;
}
int g(int n,int m,int x[n][m]){
  return x[n-1][m-1];
}
int main(void){
  assert(f(4)==6);
  int n=2;
  int b[n][3];
  b[1][2]=8;
  n=7;
  assert(sizeof b==24);
  assert(g(2,3,b)==8);
  return 0;
}
