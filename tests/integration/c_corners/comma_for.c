// safe
#include <assert.h>

int main(void){
  int i,j,s=0;
  for(i=0,j=10;i<j;i++,j-=2) s+=j-i;
  assert(i==4&&j==2&&s==10+7+4+1);
  int a[3]={0,1,2},k=0;
  a[k++]=a[k];
  assert(k==1);
  int x=(1,2,3);
  assert(x==3);
  return 0;
}
