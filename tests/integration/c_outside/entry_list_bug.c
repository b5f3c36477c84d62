// bug: --function f
// A list from outside may go through g.
#include <assert.h>
struct node { int v; struct node *next; } g;
void f(struct node *l) { g.v = 1; if (l && l->next && l->next->next) l->next->next->v = 5; assert(g.v == 1); }
