// bug
#include <assert.h>

void swap(int**a,int**b){
  int*t=*a;
  *a=*b;
  *b=t;
}
int main(void){
  int x=1,y=2;
  int*p=&x,*q=&y;
  swap(&p,&q);
  *p=7;
  assert(x==7);
  return 0;
}
