// bug: --function f
// P may point to a member.
#include <assert.h>
struct s { char c; int x, y; } g;
void f(int *p) { g.y = 1; if (p) *p = 2; assert(g.y == 1); }
