// safe
#include <assert.h>
#include <stdlib.h>
void ext1(int *);
int *ext2(void);
int main(void) { int *a = ext2(); int *h = malloc(sizeof *h); assert(!h || a != h); if (h) ext1(h); }
