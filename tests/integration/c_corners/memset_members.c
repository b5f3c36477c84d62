// safe
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct s{int a; int b; short c[2];};
int main(void){
  struct s s={1,2,{3,4}};
  memset(&s.b,0,sizeof s-offsetof(struct s,b));
  assert(s.a==1&&s.b==0&&s.c[1]==0);
  struct s t={5,6,{7,8}};
  memcpy(&s.b,&t.b,8);
  assert(s.b==6&&s.c[0]==7&&s.c[1]==8&&s.a==1);
  struct s*p=&t;
  memcpy(p,&s,sizeof s);
  assert(t.a==1);
  memset(p->c,0,sizeof p->c);
  assert(t.c[1]==0&&t.b==6);
  return 0;
}
