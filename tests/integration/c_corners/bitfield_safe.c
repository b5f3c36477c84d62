// safe
#include <assert.h>

struct f{unsigned a:3;int b:4;unsigned c:1;_Bool d:1; unsigned :0; unsigned e:9;};
int main(void){
  struct f x={0};
  x.a=9;
  x.b=7;
  x.b++;
  x.c=3;
  x.d=4;
  x.e=511;
  x.e++;
  assert(x.a==1);
  assert(x.b==-8);
  assert(x.c==1);
  assert(x.d==1);
  assert(x.e==0);
  assert(sizeof(struct f)==8);
  struct f y=x;
  y.a--;
  assert(x.a==1&&y.a==0);
  y.a--;
  assert(y.a==7);
  return 0;
}
