// bug: --unwind 10
#include <assert.h>

int main(void){
  unsigned char i;
  int n=0;
  for(i=250;i>=250;i++) n++;
  assert(n!=6);
  return 0;
}
