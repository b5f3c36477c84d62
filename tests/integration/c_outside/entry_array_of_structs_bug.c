// bug: --function f
#include <assert.h>
struct s { int x; struct { short a, b; } in[2]; } g[3];
void f(short *p) { g[1].in[1].b = 3; if (p == &g[1].in[1].b) { *p = 4; assert(g[1].in[1].b == 3); } }
