// safe
#include <assert.h>

struct f{_Bool a,b; char c;};
int main(void){
  struct f x={2,0,3};
  assert(x.a==1);
  unsigned char*p=(unsigned char*)&x;
  assert(p[0]==1&&p[1]==0);
  x.b=!x.b;
  assert(p[1]==1);
  _Bool arr[3]={1};
  arr[2]=5;
  assert(arr[0]+arr[1]+arr[2]==2);
  _Bool*q=arr+1;
  *q=-1;
  assert(arr[1]==1);
  return 0;
}
