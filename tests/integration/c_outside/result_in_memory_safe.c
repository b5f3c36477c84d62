// safe
#include <assert.h>
int *a(void); int **b(void);
int main(void){ int *p=a(); int **q=b(); if(!p||!q||!*q) return 0; *p=1; **q=2; if(*q!=p) assert(*p==1);}
