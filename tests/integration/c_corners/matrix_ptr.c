// safe
#include <assert.h>

int main(void){
  int m[2][3]={{1,2,3},{4,5,6}};
  int(*r)[3]=m;
  r++;
  assert((*r)[1]==5&&r[-1][2]==3);
  int*p=*r;
  assert(p[2]==6);
  int*flat=(int*)m;
  assert(flat[3]==4);
  int (*q)[2][3]=&m;
  assert((*q)[1][0]==4);
  int*rows[2]={m[1],m[0]};
  assert(rows[0][0]==4);
  return 0;
}
