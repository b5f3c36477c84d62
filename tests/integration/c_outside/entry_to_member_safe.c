// safe: --function f
#include <assert.h>
struct s { char c; int x, y; } g;
void f(int *p) { g.x = 0; g.y = 1; if (p == &g.y) assert(*p == 1); }
