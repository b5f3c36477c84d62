// safe
#include <assert.h>
extern int *ep;
int g = 1;
int main(void) { int b; if (ep == &g) assert(*ep == 1); assert(ep != &b); }
