// safe
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

int main(void){
  int a[4]={1,2,3,4};
  uintptr_t u=(uintptr_t)a;
  u+=2*sizeof(int);
  assert(*(int*)u==3);
  long l=(long)&a[1];
  int*p=(int*)l;
  *p=9;
  assert(a[1]==9);
  assert((u&3)==0);
  void*v=&a[3];
  assert(*(int*)v==4);
  char*c=v;
  c-=4;
  assert(*(int*)c==3);
  size_t d=(char*)&a[3]-(char*)a;
  assert(d==12);
  return 0;
}
