// safe
#include <assert.h>

struct base{int id;};
struct derived{struct base b; int c;};
int get(struct base*b){
  return ((struct derived*)b)->c;
}
int main(void){
  struct derived d={{1},7};
  struct derived e={{2},8};
  assert(get(&d.b)==7);
  e.c=5;
  assert(get(&e.b)==5&&e.b.id==2);
  return 0;
}
