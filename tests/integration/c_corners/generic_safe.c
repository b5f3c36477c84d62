// safe
#include <assert.h>

#define T(x) _Generic((x), int:1, double:2, char*:3, default:4)
int main(void){
  assert(T(1)==1&&T(1.0)==2&&T("a")==3&&T('a')==1&&T(1u)==4);
  return 0;
}
