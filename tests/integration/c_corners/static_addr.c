// safe
#include <assert.h>

int arr[4]={1,2,3,4};
int*mid=&arr[2];
int*const end=arr+4;
struct{int*p; int**pp;} g={&arr[1],&mid};
int*f(void){
  static int v=3;
  v++;
  return &v;
}
int main(void){
  assert(*mid==3&&end-mid==2);
  *g.pp=arr;
  assert(*mid==1&&*g.p==2);
  int*p=f();
  *p=10;
  assert(*f()==11);
  return 0;
}
