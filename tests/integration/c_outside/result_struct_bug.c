// bug
#include <assert.h>
struct s { int *p; int n; };
struct s ext(void);
int g = 1;
int main(void) { struct s v = ext(); if (v.p) *v.p = 2; assert(g == 1); }
