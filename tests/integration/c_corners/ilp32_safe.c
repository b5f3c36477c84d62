// safe: --data-model ilp32
#include <assert.h>
#include <stddef.h>

int main(void){
  assert(sizeof(long)==4&&sizeof(void*)==4&&sizeof(long long)==8&&sizeof(size_t)==4);
  unsigned long l=-1;
  assert(l==0xffffffffu);
  assert(sizeof(struct{char c; double d;})==12);
  long x=2147483647;
  unsigned int u=1;
  assert(x+u==2147483648u);
  return 0;
}
