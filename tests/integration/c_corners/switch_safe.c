// safe
#include <assert.h>

int f(int x){
  int r=0;
  switch(x){
    case 1: r+=1;
    case 2: r+=2;
    break;
    default: r+=100;
    case 5 ... 7: r+=50;
    break;
    case -1:{
      r=-1;
    }
  }
  return r;
}
int main(void){
  assert(f(1)==3&&f(2)==2&&f(3)==150&&f(6)==50&&f(-1)==-1);
  switch(2){
    if(0){
      case 2: return 0;
    }
  }
  assert(0);
}
