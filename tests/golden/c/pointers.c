// RUN: transform --pass lower --data-model ilp32
// RUN: check --data-model ilp32
// What pointers reach alike shares a map; a, b and the members of a list do not.
#include <assert.h>
#include <stdlib.h>
struct list { int value; struct list *next; };
int a, b;
void set(int *p, int value) { *p = value; }

int main(void) {
  set(&a, 1);
  int *q = &b;
  *q = 2;
  struct list *head = 0;
  for (int i = 0; i < 2; i++) {
    struct list *cell = malloc(sizeof *cell);
    cell->value = i;
    cell->next = head;
    head = cell;
  }
  assert(head->next->value == 0 && a + b == 3);
  return 0;
}
