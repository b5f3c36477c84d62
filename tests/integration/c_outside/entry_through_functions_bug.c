// bug: --function f
#include <assert.h>
int g;
static void set(int *where, int to) { *where = to; }
static int *same(int *p) { return p; }
void f(int *p) { set(&g, 1); if (p) set(same(p), 2); assert(g == 1); }
