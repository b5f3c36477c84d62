// safe
#include <assert.h>
#include <limits.h>

int f(long long x){
  switch(x){
    case 0x100000000LL: return 1;
    case -1: return 2;
    case 0: return 3;
  }
  return 4;
}
int g(unsigned u){
  switch(u){
    case -1: return 1;
    case 2 ... 5: return 2;
    default: return 0;
  }
}
int h(char c){
  switch(c){
    case 'a' ... 'z': return 1;
    case -1: return 2;
  }
  return 0;
}
int main(void){
  assert(f(4294967296LL)==1&&f(-1)==2&&f(0)==3&&f(1)==4);
  assert(g(UINT_MAX)==1&&g(3)==2&&g(6)==0);
  assert(h('q')==1&&h((char)255)==2&&h('A')==0);
  return 0;
}
