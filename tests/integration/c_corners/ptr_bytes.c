// safe: --unwind 10
#include <assert.h>
#include <string.h>

int x=7;
int main(void){
  int*p=&x,*q;
  char b[sizeof p];
  memcpy(b,&p,sizeof p);
  memcpy(&q,b,sizeof q);
  *q=8;
  assert(x==8);
  int*r;
  unsigned char*s=(unsigned char*)&p,*d=(unsigned char*)&r;
  for(unsigned i=0;i<sizeof p;i++) d[i]=s[i];
  assert(r==&x&&*r==8);
  return 0;
}
