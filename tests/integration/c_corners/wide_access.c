// safe
#include <assert.h>

struct t{int x; int y;};
int main(void){
  struct t a={1,2};
  long long v=*(long long*)&a.x;
  assert(v==0x200000001LL);
  *(long long*)&a=0x500000004LL;
  assert(a.x==4&&a.y==5);
  return 0;
}
