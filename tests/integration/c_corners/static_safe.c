// safe
#include <assert.h>

int next(void){
  static int n=5;
  return n++;
}
int other(void){
  static int n;
  n+=2;
  return n;
}
int main(void){
  assert(next()==5);
  assert(next()==6);
  assert(other()==2&&other()==4);
  assert(next()==7);
  return 0;
}
