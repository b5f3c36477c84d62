// safe: --unwind 6
#include <assert.h>
#include <stddef.h>

void swap(void*a,void*b,size_t n){
  char*x=a,*y=b;
  while(n--){
    char t=*x;
    *x++=*y;
    *y++=t;
  }
}
int main(void){
  int a=0x01020304,b=5;
  swap(&a,&b,sizeof a);
  assert(a==5&&b==0x01020304);
  struct{short s; char c;} p={1,2},q={3,4};
  swap(&p,&q,sizeof p);
  assert(p.s==3&&q.c==2);
  return 0;
}
