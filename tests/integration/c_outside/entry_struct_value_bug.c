// bug: --function f
#include <assert.h>
struct s { long n; int *where; };
int g;
void f(struct s v) { g = 1; if (v.where) *v.where = 2; assert(g == 1); }
