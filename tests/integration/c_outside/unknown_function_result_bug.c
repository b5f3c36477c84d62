// bug: --function f
#include <assert.h>
struct ops { int *(*find)(void); };
int g;
void f(struct ops *o) { g = 1; int *r = o->find(); if (r) *r = 2; assert(g == 1); }
