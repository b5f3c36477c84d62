// safe
#include <assert.h>
#include <math.h>

int main(void){
  assert(fabs(-2.5)==2.5&&sqrt(9.0)==3.0&&floor(-1.5)==-2.0&&ceil(1.2)==2.0&&trunc(-1.7)==-1.0);
  assert(fmax(1,2)==2&&isnan(NAN)&&isinf(INFINITY)&&!isfinite(-INFINITY));
  assert(fmod(7.5,2.0)==1.5);
  assert(round(2.5)==3.0&&rint(2.5)==2.0);
  assert(signbit(-0.0)!=0);
  assert(copysign(3.0,-1.0)==-3.0);
  return 0;
}
