// bug: --unwind 6
#include <assert.h>
#include <string.h>

int main(void){
  char b[4]="abc";
  char*p=b;
  while(*p) *p++ -= 32;
  assert(strcmp(b,"ABD")==0);
  return 0;
}
