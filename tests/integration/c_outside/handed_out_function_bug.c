// bug
#include <assert.h>
void cb(void(*)(void)); int g; void h(void){g=1;} void (*get(void))(void);
int main(void){ cb(h); void(*p)(void)=get(); g=0; if(p==h){ p(); assert(g==0);} }
