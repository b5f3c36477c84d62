// safe
#include <assert.h>

int ext(const char*);
int main(void){
  int y=2;
  int r=ext("a");
  if(r>3) y=r;
  assert(y==2||y>3);
  return 0;
}
