// safe
// B is known to nobody.
#include <assert.h>
int *ext(void);
int main(void) { int b = 1; int *a = ext(); if (a == &b) assert(0); if (a) *a = 2; assert(b == 1); }
