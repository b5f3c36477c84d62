// bug
#include <assert.h>

int main(void){
  int a[3]={1,2,3};
  int*p=a;
  int s=0;
  while(p<=a+2) s+=*p++;
  assert(s==5);
  return 0;
}
