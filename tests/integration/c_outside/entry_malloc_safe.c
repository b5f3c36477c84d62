// safe: --function f
#include <assert.h>
#include <stdlib.h>
void f(int *p) { int *h = malloc(sizeof *h); if (!h) return; *h = 1; if (p == h) assert(0); if (p) *p = 2; assert(*h == 1); }
