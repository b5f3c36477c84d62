// bug
#include <assert.h>

int cnt(void){
  static unsigned char c=254;
  return ++c;
}
int main(void){
  cnt();
  assert(cnt()==256);
  return 0;
}
