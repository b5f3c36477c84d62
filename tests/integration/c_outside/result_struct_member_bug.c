// bug
#include <assert.h>
struct s { int n; int *p; };
struct s *ext(void);
int g = 1;
int main(void) { struct s *v = ext(); if (v && v->p) *v->p = 2; assert(g == 1); }
