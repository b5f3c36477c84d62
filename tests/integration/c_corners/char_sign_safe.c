// safe
#include <assert.h>
#include <limits.h>

int main(void){
  char c=0xff;
  assert(c==-1);
  unsigned char u=c;
  assert(u==255);
  int i=c;
  assert(i==-1);
  unsigned v=c;
  assert(v==UINT_MAX);
  assert('\xff'==-1);
  assert((unsigned char)'\377'==255);
  char a[2]={(char)200,1};
  assert(a[0]<0);
  return 0;
}
