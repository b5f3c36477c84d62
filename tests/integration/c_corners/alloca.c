// safe: --unwind 5 --checks bounds,pointer,assert
#include <assert.h>

int f(int n){
  char*p=__builtin_alloca(n);
  for(int i=0;i<n;i++) p[i]=i;
  return p[n-1];
}
int main(void){
  assert(f(3)==2);
  for(int i=1;i<4;i++){
    int v[i];
    v[i-1]=i;
    assert(v[i-1]==i&&sizeof v==i*4u);
  }
  return 0;
}
