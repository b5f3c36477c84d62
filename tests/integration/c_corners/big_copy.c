// safe
#include <assert.h>

struct big{int a[20]; struct big*next; char tag;};
int main(void){
  struct big x={{0}},y;
  x.a[19]=5;
  x.tag='t';
  x.next=&y;
  y=x;
  y.a[19]=6;
  assert(x.a[19]==5&&y.a[19]==6&&y.next==&y&&y.tag=='t');
  struct big arr[3];
  arr[0]=x;
  arr[1]=y;
  int i=1,j=2;
  arr[j]=arr[i];
  arr[i].a[0]=9;
  assert(arr[2].a[0]==0&&arr[2].a[19]==6);
  struct big*p=&arr[0];
  *p=*p->next;
  assert(arr[0].a[19]==6);
  return 0;
}
