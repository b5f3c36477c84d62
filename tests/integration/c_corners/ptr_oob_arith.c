// safe: --checks bounds,pointer,assert
#include <assert.h>

int main(void){
  int a[3]={1,2,3};
  int*p=a+3;
  int s=0;
  while(p!=a) s+=*--p;
  assert(s==6);
  return 0;
}
