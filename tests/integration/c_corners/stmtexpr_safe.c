// safe
#include <assert.h>

#define max(a,b) ({ __typeof__(a) _a=(a); __typeof__(b) _b=(b); _a>_b?_a:_b; })
int main(void){
  int i=1;
  int m=max(i++,2);
  assert(m==2&&i==2);
  assert(max(3.5,2)==3.5);
  int k=({ int s=0; for(int j=0;j<3;j++) s+=j; s; });
  assert(k==3);
  return 0;
}
