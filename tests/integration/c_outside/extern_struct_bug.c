// bug
#include <assert.h>
struct s { int n; int *p; };
extern struct s e;
int g = 1;
int main(void) { if (e.p == &g) { *e.p = 2; assert(g == 1); } }
