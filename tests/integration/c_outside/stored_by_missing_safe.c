// safe
#include <assert.h>
void fill(int **);
int g = 1;
int main(void) { int *q = 0, b = 3; fill(&q); if (q == &g) assert(*q == g); assert(q != &b); }
