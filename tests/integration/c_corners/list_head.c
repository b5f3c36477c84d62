// safe
#include <assert.h>
#include <stddef.h>

struct list_head{struct list_head*next,*prev;};
struct item{int v; struct list_head l; int w;};
#define container_of(p,T,m) ({ const __typeof__(((T*)0)->m)*_m=(p); (T*)((char*)_m-offsetof(T,m)); })
int main(void){
  struct list_head h={&h,&h};
  struct item a={1,{0,0},3};
  a.l.next=h.next;
  a.l.prev=&h;
  h.next->prev=&a.l;
  h.next=&a.l;
  struct item*i=container_of(h.next,struct item,l);
  assert(i->v==1&&i->w==3&&i==&a);
  i->w=4;
  assert(a.w==4&&h.prev==&a.l);
  return 0;
}
