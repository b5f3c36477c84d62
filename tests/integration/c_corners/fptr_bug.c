// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int a1(int x){
  return x+1;
}
int a2(int x){
  return x*2;
}
int (*t[2])(int)={a1,a2};
int main(void){
  int i=__VERIFIER_nondet_int();
  __VERIFIER_assume(i>=0&&i<2);
  assert(t[i](3)==4);
  return 0;
}
