// bug
#include <assert.h>

int main(void){
  signed char c=100;
  c+=c;
  assert(c==200);
  return 0;
}
