// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum s{A,B,C};
int main(void){
  enum s s=A;
  int k=__VERIFIER_nondet_int();
  for(int i=0;i<2;i++){
    if(k&1) s++;
    k>>=1;
  }
  assert(s!=C);
  return 0;
}
