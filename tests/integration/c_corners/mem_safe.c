// safe
#include <assert.h>
#include <string.h>

struct s{int a; char b; long c;};
int main(void){
  char b[8]="abcdefg";
  memmove(b+1,b,4);
  assert(b[0]=='a'&&b[1]=='a'&&b[4]=='d'&&b[5]=='f');
  struct s x={1,2,3},y;
  memcpy(&y,&x,sizeof x);
  assert(y.c==3);
  memset(&y,0,sizeof y);
  assert(y.a==0&&y.c==0);
  int i;
  memset(&i,0xff,sizeof i);
  assert(i==-1);
  int a[4]={1,2,3,4};
  memmove(a,a+1,3*sizeof(int));
  assert(a[0]==2&&a[2]==4&&a[3]==4);
  memset(a,1,4);
  assert(a[0]==0x01010101);
  return 0;
}
