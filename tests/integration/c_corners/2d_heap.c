// safe: --unwind 4 --checks assert,pointer,bounds,leak
#include <assert.h>
#include <stdlib.h>

int main(void){
  int n=2;
  int**m=malloc(n*sizeof*m);
  for(int i=0;i<n;i++){
    m[i]=malloc(n*sizeof**m);
    for(int j=0;j<n;j++) m[i][j]=i*n+j;
  }
  int*t=m[0];
  m[0]=m[1];
  m[1]=t;
  assert(m[0][1]==3&&m[1][0]==0);
  for(int i=0;i<n;i++) free(m[i]);
  free(m);
  return 0;
}
