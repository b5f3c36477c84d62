// safe
#include <assert.h>
#include <stdint.h>

int main(void){
  __int128 x=(__int128)1<<100;
  assert(x>>98==4);
  unsigned __int128 y=(unsigned __int128)UINT64_MAX*UINT64_MAX;
  assert((uint64_t)(y>>64)==UINT64_MAX-1);
  return 0;
}
