// safe
#include <assert.h>

int add(int a,int b){
  return a+b;
}
int sub(int a,int b){
  return a-b;
}
int mul(int a,int b){
  return a*b;
}
typedef int(*op)(int,int);
struct e{char n; op f;};
static const struct e T[]={{'+',add},{'-',sub},{'*',mul}};
int ev(char c,int a,int b){
  for(unsigned i=0;i<sizeof T/sizeof*T;i++) if(T[i].n==c) return T[i].f(a,b);
  return -1;
}
op pick(int k){
  return k?add:sub;
}
int main(void){
  assert(ev('*',6,7)==42);
  assert(ev('?',1,1)==-1);
  assert(pick(0)(5,3)==2);
  op f=&mul;
  assert((*f)(2,3)==6);
  assert((**f)(2,4)==8);
  assert(f!=add);
  return 0;
}
