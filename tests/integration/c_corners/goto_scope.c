// safe: --checks pointer,assert --unwind 5
#include <assert.h>

int main(void){
  int n=0;
  again: {
    int x=n;
    int*p=&x;
    *p+=1;
    n=x;
    if(n<3) goto again;
  }
  assert(n==3);
  int*q=&n;
  {
    int y=1;
    q=&y;
    if(*q==1) goto out;
  }
  out: return 0;
}
