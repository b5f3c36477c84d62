// safe
#include <assert.h>
int main(void) { int *p, b = 1; if (p == &b) assert(*p == 1); }
