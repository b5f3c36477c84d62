// safe
#include <assert.h>

enum c{R,G=5,B,M=-2};
enum c n(enum c x){
  switch(x){
    case R:return G;
    case G:return B;
    default:return R;
  }
}
int main(void){
  assert(B==6&&n(R)==G&&n(B)==R&&M<0);
  enum c x=(enum c)7;
  assert(x==7);
  assert(sizeof(enum c)==4);
  enum {BIG=0x7fffffff};
  assert(BIG+0u==2147483647u);
  return 0;
}
