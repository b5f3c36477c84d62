// safe
#include <assert.h>
#include <stdlib.h>
struct s { int n; struct s *next; };
int main(void) { struct s *p = malloc(sizeof *p), b = {1, 0}; if (p && p->next == &b) assert(p->next->n == 1); }
