// RUN: check
#include <assert.h>

struct node { int v; struct node *next; };

int main(void) {
  int a[2] = {1, 2}, i = 0, x = 5;
  struct node *p = 0;
  if (p && p->v == 3) x = 1;
  if (!p || p->next->v) i = 1;
  if (p ? p->v == 5 : x == 5) x = 2;
  while (i < 2 && a[i] == 2) i++;
  if (i++ < 3 && a[i - 3] == 2) x = 3;
  assert((p && p->v) || (i == 7 && x));
}
