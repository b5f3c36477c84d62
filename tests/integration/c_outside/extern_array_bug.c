// bug: --function f
#include <assert.h>
extern int e[];
void f(int *p) { e[3] = 1; if (p == &e[3]) { *p = 2; assert(e[3] == 1); } }
