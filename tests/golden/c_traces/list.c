// RUN: check
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

extern int __VERIFIER_nondet_int(void);

static struct node *push(struct node *list, int value) {
  struct node *new = malloc(sizeof *new);
  new->value = value;
  new->next = list;
  return new;
}

int main(void) {
  struct node *list = NULL;
  list = push(list, 1);
  list = push(list, __VERIFIER_nondet_int());
  struct node **end = &list->next->next;
  *end = list;
  assert(list->next->next->value != 10);
  return 0;
}
