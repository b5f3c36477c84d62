// bug
#include <assert.h>
#include <stdlib.h>

int main(void){
  int*a=malloc(8);
  a[0]=0;
  assert(a[1]==0);
  return 0;
}
