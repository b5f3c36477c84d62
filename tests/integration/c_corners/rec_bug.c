// bug
#include <assert.h>

int f(int n,int*acc){
  int here=*acc;
  if(n>0) f(n-1,&here);
  *acc+=n;
  return here;
}
int main(void){
  int a=0;
  f(3,&a);
  assert(a==6);
  return 0;
}
