// safe
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void){
  float a[2]={1.5f,-0.0f};
  unsigned u;
  memcpy(&u,&a[1],4);
  assert(u==0x80000000u);
  float*p=a;
  *p+=0.25f;
  assert(a[0]==1.75f);
  double d[2];
  d[1]=a[0];
  assert(d[1]==1.75);
  long double l=0.5L;
  assert(l*2==1);
  union{double d; uint64_t u;} v;
  v.u=0x4000000000000000ull;
  assert(v.d==2.0);
  return 0;
}
