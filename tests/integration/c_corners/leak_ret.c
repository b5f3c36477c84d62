// bug: --checks leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int f(void){
  int*p=malloc(4);
  if(!p) return 0;
  *p=1;
  if(__VERIFIER_nondet_int()) return 1;
  free(p);
  return 0;
}
int main(void){
  return f();
}
