// safe
#include <assert.h>

int main(void){
  int x=1;
  int s=sizeof(x++);
  assert(x==1&&s==4);
  assert(sizeof(int[3][2])==24&&sizeof "abc"==4&&sizeof(char)==1&&sizeof 'a'==4);
  int a[5];
  assert(sizeof a/sizeof a[0]==5&&sizeof(&a)==8&&sizeof(*&a)==20);
  assert(_Alignof(double)==8);
  assert(sizeof(struct{char a; short b; char c;})==6);
  assert(sizeof(union{char a[5]; int b;})==8);
  return 0;
}
