// safe
#include <assert.h>
#include <stdlib.h>

struct a{int x;int y;};
struct b{int p;int q;};
int main(void){
  void*m=malloc(8);
  struct a*a=m;
  a->x=1;
  a->y=2;
  struct b*b=m;
  assert(b->p==1&&b->q==2);
  char*c=m;
  c[4]=9;
  assert(a->y==9);
  free(m);
  return 0;
}
