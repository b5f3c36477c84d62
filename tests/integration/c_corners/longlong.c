// safe
#include <assert.h>

int main(void){
  long long a=0x7fffffffffffffffLL;
  unsigned long long b=a;
  assert(b+1==0x8000000000000000ull);
  assert((int)(a>>32)==0x7fffffff);
  assert(1<<31!=0);
  int m=-7;
  assert(m%3==-1&&m/3==-2&&(m&3)==1);
  assert((unsigned)m%10==9);
  return 0;
}
