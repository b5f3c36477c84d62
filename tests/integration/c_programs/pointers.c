#include <assert.h>
#include <string.h>
#include <stdlib.h>
#include <limits.h>
#include <stdint.h>
static int counter(void) { static int n = 10; return n++; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
typedef struct node { int v; struct node *next; } node;
int main(void) {
  assert(counter() == 10 && counter() == 11);
  assert(fact(5) == 120);
  assert(MAX(3, 7u) == 7);
  node *l = 0; for (int i = 0; i < 3; i++) { node *n = malloc(sizeof *n); if (!n) return 0; n->v = i; n->next = l; l = n; }
  int s = 0; for (node *p = l; p; p = p->next) s = s * 10 + p->v; assert(s == 210);
  char b[8]; strcpy(b, "hello"); assert(strlen(b) == 5); assert(!strcmp(b, "hello")); memset(b, 'x', 2); assert(b[1] == 'x' && b[2] == 'l');
  int arr[3] = { 1, 2, 3 }, cp[3]; memcpy(cp, arr, sizeof arr); assert(cp[2] == 3);
  uint8_t u8 = 255; u8++; assert(u8 == 0); int8_t i8 = (int8_t)128; assert(i8 == -128);
  assert(INT_MAX + 1u == 2147483648u); assert((uint64_t)1 << 40 > UINT_MAX);
  int *p = arr + 2, *q = arr; assert(p - q == 2 && p > q && *--p == 2);
  int x = 10; int *px = &x, **ppx = &px; **ppx = 11; assert(x == 11);
  union { float f; unsigned u; } pun; pun.f = 1.0f; assert(pun.u == 0x3f800000);
  unsigned char bytes[4]; x = 0x01020304; memcpy(bytes, &x, 4); assert(bytes[0] == 4 && bytes[3] == 1);
  assert((char *)&x + 1 == (char *)(&x) + 1 && *((unsigned char *)&x + 1) == 3);
  return 0;
}
