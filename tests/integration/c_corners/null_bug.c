// bug: --checks pointer
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct s{int a,b;};
int main(void){
  struct s*p=__VERIFIER_nondet_int()?malloc(sizeof*p):0;
  p->b=1;
  return 0;
}
