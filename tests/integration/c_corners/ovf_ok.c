// safe: --checks overflow
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int();
  if(x<0&&x!=INT_MIN) x=-x;
  unsigned u=x;
  u=u+u;
  long y=(long)x*2;
  short s=x;
  s++;
  return (int)(y&1)+s;
}
