// safe
#include <assert.h>

int main(void){
  int i=0,s=0;
  goto mid;
  top: s+=10;
  mid: s++;
  i++;
  if(i<3) goto top;
  assert(s==23);
  for(int k=0;k<3;k++){
    if(k==1) goto in;
    s=0;
    in: s+=k;
  }
  assert(s==2);
  return 0;
}
