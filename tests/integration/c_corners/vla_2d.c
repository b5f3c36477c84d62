// safe: --unwind 4
#include <assert.h>

int sum(int r,int c,int m[r][c]){
  int s=0;
  for(int i=0;i<r;i++) for(int j=0;j<c;j++) s+=m[i][j];
  return s;
}
int main(void){
  int r=2,c=2;
  int m[r][c];
  for(int i=0;i<r;i++) for(int j=0;j<c;j++) m[i][j]=i+j;
  assert(sum(r,c,m)==4);
  int (*p)[c]=m;
  p++;
  assert((*p)[1]==2);
  return 0;
}
