// safe
#include <assert.h>

struct t{int v; int w;};
int main(void){
  struct t a={1,2};
  int*p=&a.v;
  struct t*q=(struct t*)p;
  q->w=9;
  assert(a.w==9&&q->v==1);
  return 0;
}
