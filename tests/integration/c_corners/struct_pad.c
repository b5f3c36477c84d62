// bug: --unwind 10
#include <assert.h>
#include <string.h>

struct s{char a; int b;};
int main(void){
  struct s x,y;
  x.a=y.a=1;
  x.b=y.b=2;
  assert(memcmp(&x,&y,sizeof x)==0);
  return 0;
}
