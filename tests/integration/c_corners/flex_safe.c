// safe: --checks bounds,pointer,leak,assert
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct v{int n; int d[];};
int main(void){
  struct v*p=malloc(sizeof*p+3*sizeof(int));
  p->n=3;
  for(int i=0;i<p->n;i++) p->d[i]=i*i;
  assert(p->d[2]==4);
  assert(offsetof(struct v,d)==4);
  free(p);
  return 0;
}
