#include <assert.h>
struct p { int x, y; };
struct o { int n; union { struct { short lo, hi; }; int all; }; struct p q[2]; char t[4]; } g = { 1, { .hi = 2 }, { [1] = { 3, 4 } }, "ab" };
int a[2][3] = { { 1 }, { [1] = 5, 6 } };
int *ptr = &a[1][1];
static int sum(struct p p) { p.x += p.y; return p.x; }
struct p make(int x, int y) { return (struct p){ .y = y, .x = x }; }
int main(void) {
  assert(g.n == 1 && g.hi == 2 && g.lo == 0 && g.q[0].x == 0 && g.q[1].y == 4);
  assert(g.t[1] == 'b' && g.t[2] == 0 && g.t[3] == 0);
  assert(*ptr == 5 && ptr[1] == 6 && a[0][0] == 1 && a[0][1] == 0);
  struct p z = make(3, 4); assert(sum(z) == 7 && z.x == 3);
  struct p *w = &g.q[1]; w->x++; assert(g.q[1].x == 4);
  int n = 3, v[n]; for (int i = 0; i < n; i++) v[i] = i * i; assert(v[2] == 4 && sizeof v == 12);
  int (*fp)(struct p) = sum; assert(fp(make(1, 1)) == 2); assert((*fp)(make(1, 2)) == 3);
  int k = 0;
  switch (n) { case 1: k = 1; case 2 ... 4: k += 2; default: k += 10; break; case 9: k = 100; }
  assert(k == 12);
  int i = 0; again: i++; if (i < 3) goto again; assert(i == 3);
  do { i--; if (i == 1) continue; } while (i > 0); assert(i == 0);
  const char *s = "xyz"; assert(s[1] == 'y' && *(s + 2) == 'z' && s[3] == '\0');
  g.all = 0x00010002; assert(g.lo == 2 && g.hi == 1);
  return 0;
}
