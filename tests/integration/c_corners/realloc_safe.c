// safe
#include <assert.h>
#include <stdlib.h>

int main(void){
  int*a=realloc(0,2*sizeof(int));
  a[0]=1;
  a[1]=2;
  a=realloc(a,8*sizeof(int));
  a[7]=5;
  assert(a[0]==1&&a[1]==2&&a[7]==5);
  a=realloc(a,4);
  assert(*a==1);
  free(a);
  return 0;
}
