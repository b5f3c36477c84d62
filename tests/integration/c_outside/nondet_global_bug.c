// bug
#include <assert.h>
int *nondet_p(void);
int g = 1;
int main(void) { int *p = nondet_p(); if (p) *p = 2; assert(g == 1); }
