// safe
#include <assert.h>

int n;
int t(void){
  n++;
  return 1;
}
int f(void){
  n+=10;
  return 0;
}
int main(void){
  int r=f()&&t();
  assert(n==10&&r==0);
  r=t()||f();
  assert(n==11&&r==1);
  int*p=0;
  if(p&&*p) assert(0);
  r=t()?f():t();
  assert(n==22);
  int a=1,b=(a++,a+1);
  assert(b==3&&a==2);
  r=(n=0,t()&&(n=5))||(n=7);
  assert(n==5&&r==1);
  return 0;
}
