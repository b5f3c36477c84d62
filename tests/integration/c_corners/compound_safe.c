// safe
#include <assert.h>
#include <limits.h>

int main(void){
  unsigned char c=250;
  c+=10;
  assert(c==4);
  c*=100;
  assert(c==144);
  c>>=1;
  assert(c==72);
  short s=32767;
  s+=1;
  assert(s==-32768);
  int i=7;
  i/=2.5;
  assert(i==2);
  i+=1.9;
  assert(i==3);
  unsigned u=1;
  u-=2;
  assert(u==UINT_MAX);
  char d=127;
  d++;
  assert(d==-128);
  float f=1;
  f/=3;
  double g=f;
  assert(g!=1.0/3);
  _Bool b=0;
  b--;
  assert(b==1);
  b+=5;
  assert(b==1);
  i=5;
  i%=-3;
  assert(i==2);
  i=-5;
  i%=3;
  assert(i==-2);
  i=-5;
  i/=3;
  assert(i==-1);
  return 0;
}
