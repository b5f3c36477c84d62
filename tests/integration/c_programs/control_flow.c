#include <assert.h>
int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }
int g(int n) { switch (n) { case 0: return 1; case 1 ... 3: n += 10; case 5: n++; break; default: n = -1; break; case 9: { n = 99; } } return n; }
int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int counter(void) { static int k = 5; return k++; }
int main(void) {
  assert(f(5) == 120); assert(g(0) == 1); assert(g(2) == 13); assert(g(5) == 6); assert(g(7) == -1); assert(g(9) == 99);
  assert(even(4)); assert(!odd(4)); assert(counter() == 5); assert(counter() == 6);
  int s = 0; for (int i = 0; i < 5; i++) { if (i == 2) continue; if (i == 4) break; s += i; } assert(s == 4);
  int n = 0; do { n++; if (n == 3) continue; } while (n < 5); assert(n == 5);
  int w = 0; while (1) { if (++w == 4) goto out; } out: assert(w == 4);
  int k = 0; again: k++; if (k < 3) goto again; assert(k == 3);
  int i, j, c = 0; for (i = 0, j = 3; i < j; i++, j--) c++; assert(c == 2);
  int v = ({ int q = 4; q *= 2; q + 1; }); assert(v == 9);
  int side = 0; int r = (side = 1) && 0; assert(r == 0 && side == 1); r = 0 && (side = 2); assert(side == 1); r = 1 || (side = 3); assert(side == 1 && r == 1);
  r = (k == 3) ? (side = 7, 8) : (side = 9); assert(r == 8 && side == 7); r = k != 3 && counter() || counter() == 7; assert(r);
  switch (k) case 3: s = 100; assert(s == 100);
  int z = 7; z = z++ + 1 > 7 ? z : 0; assert(z == 8);
  unsigned d = 0; switch (d) { do { case 0: d++; } while (d < 4); } assert(d == 4);
  return 0;
}
