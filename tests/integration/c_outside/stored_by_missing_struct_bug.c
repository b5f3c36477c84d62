// bug
#include <assert.h>
struct s { int *p; } ;
void fill(struct s *);
int g = 1;
int main(void) { struct s v = {0}; fill(&v); if (v.p == &g) { *v.p = 2; assert(g == 1); } }
