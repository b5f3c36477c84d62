// safe
#include <assert.h>

#define SWAP(a,b) do{ __typeof__(a) t=(a); (a)=(b); (b)=t; }while(0)
struct p{int x; char*n;};
int main(void){
  struct p a={1,"a"},b={2,"b"};
  SWAP(a,b);
  assert(a.x==2&&b.n[0]=='a');
  int v[2]={1,2};
  SWAP(v[0],v[1]);
  assert(v[0]==2);
  char*s="x",*t2="y";
  SWAP(s,t2);
  assert(*s=='y');
  return 0;
}
