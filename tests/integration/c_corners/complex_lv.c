// safe
#include <assert.h>

int a[3]={1,2,3};
int idx;
int*at(int i){
  idx++;
  return &a[i];
}
int main(void){
  *at(1)+=5;
  assert(idx==1&&a[1]==7);
  (*at(2))++;
  assert(idx==2&&a[2]==4);
  int i=0;
  a[i++]+=10;
  assert(i==1&&a[0]==11&&a[1]==7);
  int x=5;
  x=x++ + 1 ? x : 0;
  int y=(x=3)+1;
  assert(y==4&&x==3);
  int*p=a;
  *p++=1;
  *++p=2;
  assert(a[0]==1&&a[2]==2&&p==a+2);
  a[a[0]]=8;
  assert(a[1]==8);
  return 0;
}
