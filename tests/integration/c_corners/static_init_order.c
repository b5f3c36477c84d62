// safe
#include <assert.h>

int x=5;
int y=sizeof(int)*2+1;
static const char*t[3]={[2]="z"};
double d=1/2+1.5;
int z;
extern int w;
int w=7;
int main(void){
  assert(y==9&&t[0]==0&&t[2][0]=='z'&&d==1.5&&z==0&&w==7);
  return 0;
}
