// bug: --checks bounds --unwind 6
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void){
  char b[3];
  strcpy(b,__VERIFIER_nondet_int()?"ab":"abc");
  return b[0];
}
