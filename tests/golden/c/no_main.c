// RUN: check
// RUN: check --entry start
// RUN: check --entry strat
#include <assert.h>
struct s { int n; };
int start(struct s *a, struct s *b) { a->n = 1; b->n = 2; assert(a->n == 1); return 0; }
