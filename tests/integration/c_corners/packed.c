// safe
#include <assert.h>

struct __attribute__((packed)) k{char c; int i; short s;};
int main(void){
  assert(sizeof(struct k)==7);
  struct k x={1,0x01020304,5};
  char*p=(char*)&x;
  assert(p[1]==4&&p[4]==1&&p[5]==5);
  x.i=-1;
  assert(p[1]==-1&&p[5]==5);
  return 0;
}
