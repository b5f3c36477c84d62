// safe
#include <assert.h>
#include <stdint.h>

union u{int*p; uintptr_t n;};
int main(void){
  int x=3;
  union u v;
  v.n=(uintptr_t)&x;
  *v.p=4;
  assert(x==4);
  union u w;
  w.p=&x;
  uintptr_t k=w.n;
  int*q=(int*)k;
  *q=6;
  assert(x==6);
  return 0;
}
