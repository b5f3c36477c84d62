// bug
#include <assert.h>

int main(void){
  int x=0;
  assert(++x==1);
  assert(x++==1);
  assert(x==3);
  return 0;
}
