// safe
#include <assert.h>

struct q{void*items[4]; int n;};
void push(struct q*q,void*p){
  q->items[q->n++]=p;
}
void*pop(struct q*q){
  return q->items[--q->n];
}
int main(void){
  struct q q={{0},0};
  int x=1;
  double d=2.5;
  char s[]="ab";
  push(&q,&x);
  push(&q,&d);
  push(&q,s);
  assert(((char*)pop(&q))[1]=='b');
  assert(*(double*)pop(&q)==2.5);
  *(int*)pop(&q)=9;
  assert(x==9&&q.n==0);
  return 0;
}
