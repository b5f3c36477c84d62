// bug
#include <assert.h>
#include <stdlib.h>
int *nondet_p(void);
int main(void) { int *h = malloc(sizeof *h); if (!h) return 0; *h = 1; int *p = nondet_p(); if (p == h) { *p = 2; assert(*h == 1); } }
