// bug
// Fill may store &g in q.
#include <assert.h>
void fill(int **);
int g = 1;
int main(void) { int *q = 0; fill(&q); if (q) *q = 2; assert(g == 1); }
