// safe: --checks pointer,leak,bounds,assert --unwind 5
#include <assert.h>
#include <stdlib.h>

struct n{struct n*next;int v;};
int main(void){
  struct n*h=0;
  for(int i=0;i<3;i++){
    struct n*t=malloc(sizeof*t);
    t->next=h;
    t->v=i;
    h=t;
  } while(h){
    struct n*t=h->next;
    free(h);
    h=t;
  }
  free(0);
  char*c=calloc(3,2);
  assert(c[5]==0);
  c=realloc(c,10);
  c[9]=1;
  assert(c[5]==0);
  free(c);
  return 0;
}
