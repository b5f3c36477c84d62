// safe
#include <assert.h>

int main(void){
  int a[5];
  int *p=a,*e=a+5;
  int n=0;
  while(p<e){
    *p++=n++;
  }
  assert(n==5&&p==e&&a[4]==4);
  assert(&a[2]>&a[1]);
  assert(e-a==5);
  int *q=&a[4];
  assert(q-p==-1);
  assert(*(q-2)==2 && 2[a]==2);
  return 0;
}
