// bug: --checks pointer
#include <stdlib.h>

char*get(void){
  char*p=malloc(4);
  free(p);
  return p;
}
int main(void){
  char*p=get();
  p[0]=1;
  return 0;
}
