// safe
#include <assert.h>

int main(void){
  int i=-1;
  unsigned u=0;
  assert((1?i:u)>0);
  long l=(0?1:-1L);
  assert(l==-1);
  char c=1;
  assert(sizeof(1?c:c)==4);
  void*v=0;
  int x;
  int*p=1?&x:v;
  assert(p==&x);
  assert((i?:5)==-1);
  assert((u?:5)==5);
  return 0;
}
