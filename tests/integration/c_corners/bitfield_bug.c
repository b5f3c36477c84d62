// bug
#include <assert.h>

struct f{int b:3;};
int main(void){
  struct f x;
  x.b=4;
  assert(x.b==4);
  return 0;
}
