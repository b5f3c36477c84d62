// bug: --unwind 6
#include <assert.h>
#include <stdarg.h>

int last(int n,...){
  va_list ap,b;
  va_start(ap,n);
  va_copy(b,ap);
  int r=0;
  while(n--) r=va_arg(ap,int);
  r-=va_arg(b,int);
  va_end(ap);
  va_end(b);
  return r;
}
int main(void){
  assert(last(3,1,5,9)==9);
  return 0;
}
