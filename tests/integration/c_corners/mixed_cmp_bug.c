// bug
#include <assert.h>

int main(void){
  int i=-1;
  unsigned u=1;
  assert(i<u);
  return 0;
}
