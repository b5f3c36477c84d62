// safe
#include <assert.h>

int main(void){
  float f=16777216.0f;
  assert(f+1.0f==f);
  double d=0.1+0.2;
  assert(d!=0.3);
  assert(1.0/0.0>1e308);
  double n=0.0/0.0;
  assert(n!=n&&!(n<n)&&!(n==n));
  assert(-0.0==0.0);
  assert((int)-2.7==-2);
  assert((int)2.7f==2);
  assert((float)16777217==16777216.0f);
  assert((unsigned char)3.9==3);
  assert(5/2==2&&5/2.0==2.5);
  return 0;
}
