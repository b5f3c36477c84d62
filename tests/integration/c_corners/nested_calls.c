// bug
#include <assert.h>

int g;
int f(int x){
  g=g*10+x;
  return x;
}
int main(void){
  int s=f(1)+f(2)*f(3);
  assert(s==7);
  assert(g!=123);
  return 0;
}
