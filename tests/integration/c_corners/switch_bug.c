// bug
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

int main(void){
  char c=__VERIFIER_nondet_char();
  int n=0;
  switch(c){
    case 'a': n=1;
    case 'b': n++;
    break;
    case 'c': n=5;
  }
  assert(n!=2);
  return 0;
}
