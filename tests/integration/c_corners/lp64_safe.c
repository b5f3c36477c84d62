// safe
#include <assert.h>

int main(void){
  assert(sizeof(long)==8&&sizeof(void*)==8);
  assert(sizeof(struct{char c; double d;})==16);
  long x=-1;
  unsigned int u=1;
  assert(x<u);
  assert(sizeof(long double)==16);
  return 0;
}
