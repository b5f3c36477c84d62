// safe
#include <assert.h>
#include <string.h>

struct m{int id; short k; char c;};
int main(void){
  struct m a={0x01020304,-2,'z'},b;
  char buf[sizeof a];
  memcpy(buf,&a,sizeof a);
  memcpy(&b,buf,sizeof b);
  assert(b.id==0x01020304&&b.k==-2&&b.c=='z');
  buf[0]=9;
  memcpy(&b,buf,sizeof b);
  assert(b.id==0x01020309);
  return 0;
}
