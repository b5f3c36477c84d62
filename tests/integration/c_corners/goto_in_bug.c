// bug
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int();
  int i;
  if(x>0){
    i=2;
    goto body;
  }
  for(i=0;i<3;i++){
    body: x=i;
    if(x==2) break;
  }
  assert(i!=2);
  return 0;
}
