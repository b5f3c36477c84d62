// safe
#include <assert.h>

enum{N=3,M=N*2};
int a[M];
_Static_assert(sizeof a==24,"x");
int main(void){
  assert(sizeof a/sizeof*a==M);
  const int k=4;
  int b[k];
  b[3]=1;
  assert(b[3]==1);
  assert((int)'a'==97&&-1/2==0&&-1>>1==-1&&(unsigned)-1>>31==1);
  assert(0x7fffffff+1u==0x80000000u);
  assert(1?2:3==2);
  return 0;
}
