// bug
// Two results may be equal.
#include <assert.h>
int *ext(int);
int main(void) { int *a = ext(1), *b = ext(2); if (!a || !b) return 0; *a = 1; *b = 2; assert(*a == 1); }
