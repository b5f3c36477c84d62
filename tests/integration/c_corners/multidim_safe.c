// safe
#include <assert.h>

int m[3][4];
int tr(int (*r)[4],int n){
  int t=0;
  for(int i=0;i<n;i++) t+=r[i][i];
  return t;
}
int main(void){
  for(int i=0;i<3;i++) for(int j=0;j<4;j++) m[i][j]=i*4+j;
  assert(tr(m,3)==15);
  int*f=&m[0][0];
  assert(f[7]==m[1][3]);
  assert(*(*(m+2)+1)==9);
  int l[2][2][2]={{{1,2},{3,4}},{{5,6},{7,8}}};
  assert(l[1][0][1]==6);
  assert(sizeof(l[0])==16);
  return 0;
}
