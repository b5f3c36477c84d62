// bug
#include <assert.h>
#include <stdlib.h>
int **ext(void);
int main(void){ int *h=malloc(4); if(!h) return 0; *h=1; int **pp=ext(); if(!pp) return 0; *pp=h; int **qq=ext(); if(qq&&*qq) **qq=2; assert(*h==1);}
