// bug
#include <assert.h>
#include <stdlib.h>

int main(void){
  int*a=malloc(sizeof(int));
  int*guard=malloc(8*sizeof(int));
  for(int i=0;i<8;i++) guard[i]=0;
  *a=1;
  a=realloc(a,8*sizeof(int));
  assert(a[0]==1);
  assert(a[4]==0);
  return 0;
}
