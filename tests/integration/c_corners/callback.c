// safe: --unwind 5
#include <assert.h>

typedef void(*cb)(void*,int);
struct ctx{int sum; int n;};
void add(void*c,int v){
  struct ctx*x=c;
  x->sum+=v;
  x->n++;
}
void count(void*c,int v){
  (*(int*)c)++;
}
void each(const int*a,int n,cb f,void*c){
  for(int i=0;i<n;i++) f(c,a[i]);
}
int main(void){
  int a[]={1,2,3};
  struct ctx c={0,0};
  each(a,3,add,&c);
  assert(c.sum==6&&c.n==3);
  int k=0;
  each(a,2,count,&k);
  assert(k==2&&c.n==3);
  cb z=0;
  assert(!z);
  return 0;
}
