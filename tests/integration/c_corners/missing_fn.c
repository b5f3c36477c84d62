// bug
#include <assert.h>

void ext(int*p);
int main(void){
  int x=1,y=2;
  ext(&x);
  assert(y==2);
  assert(x==1);
  return 0;
}
