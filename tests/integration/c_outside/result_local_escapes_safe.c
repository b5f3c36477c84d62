// safe
#include <assert.h>
void ext1(int *);
int *ext2(void);
int main(void) { int b, c = 5; ext1(&b); b = 1; int *a = ext2(); if (a == &b) assert(*a == 1); if (a == &c) assert(0); }
