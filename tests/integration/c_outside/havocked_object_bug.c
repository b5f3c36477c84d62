// bug
#include <assert.h>
void __CPROVER_havoc_object(void *);
int g = 1;
struct s { int *p; };
int main(void) { struct s v = {0}; __CPROVER_havoc_object(&v); if (v.p == &g) { *v.p = 2; assert(g == 1); } }
