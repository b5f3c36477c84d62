// safe
#include <assert.h>

struct in{int a; int b[3];};
struct out{struct in x; struct in y[2]; char s[4];};
struct out g={.y[1]={5,{[2]=6}},.x.b={1,2},.s="abcd"};
int m[][3]={{1},{2,3},[3]={[1]=9}};
int main(void){
  assert(g.y[1].b[2]==6&&g.y[1].a==5&&g.x.b[1]==2&&g.x.a==0&&g.s[3]=='d');
  assert(sizeof m/sizeof m[0]==4&&m[3][1]==9&&m[2][0]==0);
  struct in l={.b={[1]=4}};
  assert(l.a==0&&l.b[1]==4&&l.b[2]==0);
  int *p=(int[]){
    7,8
  }
  ;
  assert(p[1]==8);
  struct in *q=&(struct in){
    .a=3
  }
  ;
  assert(q->a==3&&q->b[0]==0);
  char s[]="hi";
  assert(sizeof s==3);
  return 0;
}
