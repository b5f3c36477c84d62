// safe
#include <assert.h>

int main(void){
  int n=7,i=0,c=0;
  int k=(n+3)/4;
  switch(n%4){
    case 0: do{
      c++;
      case 3: c++;
      case 2: c++;
      case 1: c++;
    } while(--k>0);
  }
  assert(c==7);
  return 0;
}
