// bug
// Ext2 may return what ext1 got.
#include <assert.h>
void ext1(int *);
int *ext2(void);
int main(void) { int b; ext1(&b); b = 1; int *a = ext2(); if (a) *a = 2; assert(b == 1); }
