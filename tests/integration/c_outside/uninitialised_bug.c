// bug
#include <assert.h>
int main(void) { int *p, b = 1; if (p == &b) { *p = 2; assert(b == 1); } }
