// safe
#include <assert.h>

int main(void){
  int n=0,i=0;
  do{
    i++;
    if(i==2) continue;
    n+=i;
  } while(i<4);
  assert(n==8&&i==4);
  for(i=0;i<5;i++){
    switch(i){
      case 1: continue;
      case 3: break;
      default: n++;
    }
    n+=10;
  }
  assert(n==8+3+40);
  int k=0;
  while(1){
    for(;;){
      if(++k>2) break;
    }
    if(k>3) break;
  }
  assert(k==4);
  if(k) if(k==3) n=0;
  else n=1;
  assert(n==1);
  for(;0;);
  while(0) n=9;
  assert(n==1);
  {
    goto end;
    n=5;
  }
  end: assert(n==1);
  return 0;
}
