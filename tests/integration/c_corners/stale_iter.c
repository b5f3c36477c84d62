// bug: --checks pointer --unwind 4
#include <stdlib.h>

struct n{int v; struct n*next;};
int main(void){
  struct n*a=malloc(sizeof*a),*b=malloc(sizeof*b);
  a->next=b;
  b->next=0;
  for(struct n*p=a;p;p=p->next) free(p);
  return 0;
}
