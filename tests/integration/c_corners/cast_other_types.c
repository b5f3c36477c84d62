// safe: --tune integers=bits
// Objects that are used as other types: by a common prefix, in larger and smaller integers, byte by byte.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct P { int kind; int a; };
struct Q { int kind; long b; };
struct N { int a; struct { short x, y; } in; };
int kind_of(void *p) { return *(int *)p; }
int kind_of_p(struct P *p) { return p->kind; }
int main(void) {
  struct P p = {1, 2};
  struct Q q = {3, 4};
  assert(kind_of(&p) == 1 && kind_of(&q) == 3 && kind_of_p((struct P *)&q) == 3);
  int v[4] = {1, 2, 3, 4};
  long l;
  memcpy(&l, v + 1, sizeof l);
  assert(l == 0x0000000300000002L);
  ((short *)&v[2])[1] = 1;
  char *bytes = (char *)v;
  assert(v[2] == 0x10003 && bytes[8] == 3 && bytes[10] == 1);
  float f = 1.0f;
  int bits;
  memcpy(&bits, &f, 4);
  assert(bits == 0x3f800000);
  struct N *n = malloc(sizeof *n), copy;
  *(long *)n = 0x0003000200000001L;
  assert(n->in.y == 3);
  memset(n, 0, sizeof *n);
  assert(n->in.y == 0 && *(long *)n == 0);
  long *words = malloc(16);
  words[1] = 6;
  void *other = malloc(16);
  memcpy(other, words, 16);
  assert(((long *)other)[1] == 6 && ((struct N *)other + 1)->a == 6);
}
