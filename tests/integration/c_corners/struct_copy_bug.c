// bug
#include <assert.h>

struct s{int x; int*p;};
int main(void){
  struct s a={1,0};
  a.p=&a.x;
  struct s b=a;
  *b.p=5;
  assert(b.x==5);
  return 0;
}
