// safe: --checks bounds,assert
#include <assert.h>

int main(void){
  int a[5]={1,2,3,4,5};
  int*m=a+2;
  int i=-2;
  assert(m[i]==1&&m[-1]==2);
  unsigned char k=1;
  assert(m[k]==4);
  long l=2;
  assert(*(m+l)==5&&*(m-l)==1);
  short s=-1;
  m[s]+=10;
  assert(a[1]==12);
  return 0;
}
