// safe
#include <assert.h>

void set(int**pp,int*v){
  *pp=v;
}
int main(void){
  int x=1,y=2;
  int*p=&x;
  int**pp=&p;
  int***ppp=&pp;
  **pp=5;
  set(pp,&y);
  ***ppp=9;
  assert(x==5&&y==9&&p==&y);
  int*arr[2]={&x,&y};
  int**w=arr;
  w++;
  **w=3;
  assert(y==3);
  return 0;
}
