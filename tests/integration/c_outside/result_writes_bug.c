// bug
#include <assert.h>
int *ext(void);
int g = 1;
int main(void) { int *a = ext(); if (a == &g) { *a = 2; assert(g == 1); } }
