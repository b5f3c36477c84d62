// safe
#include <assert.h>

enum k{A,B=300};
struct s{enum k k; enum k*p;};
int main(void){
  struct s s={B,0};
  s.p=&s.k;
  *s.p=A;
  assert(s.k==A);
  enum k arr[2]={B,A};
  enum k*q=arr;
  q++;
  *q=B;
  assert(arr[1]==300&&sizeof arr==8);
  return 0;
}
