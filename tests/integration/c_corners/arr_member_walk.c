// safe
#include <assert.h>

struct t{int a[2]; int b[2];};
int main(void){
  struct t t={{1,2},{3,4}};
  int*p=t.a;
  p++;
  assert(*p==2);
  *p=5;
  assert(t.a[1]==5&&t.b[0]==3);
  int *q=&t.b[1];
  q--;
  assert(*q==3);
  return 0;
}
