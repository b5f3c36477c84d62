// safe
#include <assert.h>

int main(void){
  int i=-1;
  unsigned u=1;
  assert(i>u);
  long l=-1;
  assert(l<u);
  unsigned short us=1;
  assert(i<us);
  return 0;
}
