// safe: --function f
#include <assert.h>
struct ops { int *(*find)(int *); };
void f(struct ops *o) { int x = 1, y = 2; int *r = o->find(&y); assert(x == 1 && r != &x); }
