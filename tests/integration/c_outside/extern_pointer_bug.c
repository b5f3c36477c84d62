// bug
#include <assert.h>
extern int *ep;
int g = 1;
int main(void) { if (ep) *ep = 2; assert(g == 1); }
