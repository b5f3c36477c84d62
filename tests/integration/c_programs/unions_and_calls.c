#include <assert.h>
#include <stdarg.h>
union U { int i; unsigned char c[4]; float f; struct { short lo, hi; } h; };
union V { int i; float f; unsigned u : 3; };
struct B { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 10; _Bool d : 1; long long e : 40; };
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
typedef int (*op)(int, int); op table[2] = { add, sub };
int apply(op f, int a, int b) { return f(a, b); }
int vsum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }
double vmix(int n, ...) { va_list ap; va_start(ap, n); int a = va_arg(ap, int); double d = va_arg(ap, double); char *s = va_arg(ap, char *); va_end(ap); return a + d + s[0]; }
struct B gb = { 1, -2, 3, 1, 5 };
int main(void) {
  union U u; u.i = 0x3f800000; assert(u.c[3] == 0x3f); assert(u.f == 1.0f); assert(u.h.hi == 0x3f80); u.h.lo = 1; assert(u.i == 0x3f800001);
  union V v; v.f = 2.0f; assert(v.i == 0x40000000); v.i = 13; assert(v.u == 5); v.u = 2; assert(v.i == 10);
  struct B b = { 0 }; b.a = 9; assert(b.a == 1); b.b = 17; assert(b.b == -15); b.c += 1023; b.c++; assert(b.c == 0); b.d = 7; assert(b.d == 1); b.e = 1LL << 39; assert(b.e < 0);
  struct B *p = &gb; assert(p->b == -2 && p->c == 3 && p->e == 5 && p->d); p->b--; assert(gb.b == -3 && gb.a == 1); b = *p; assert(b.b == -3);
  unsigned char *raw = (unsigned char *)&b; assert(raw[0] == ((1 | (29 << 3)) & 0xff)); raw[0] = 0; assert(b.a == 0 && b.b == 0 && b.c == 3);
  assert(apply(add, 2, 3) == 5); assert(table[1](7, 2) == 5); op f = &sub; assert((*f)(9, 1) == 8); f = gb.a ? add : sub; assert(f(1, 1) == 2);
  assert(vsum(3, 1, 2, 3) == 6); assert(vmix(1, 2, 1.5, "A") == 68.5);
  float x = 0.1f; double d = x; assert(d != 0.1); assert((int)-2.7 == -2); assert((unsigned char)3.9f == 3); assert(1 / 3.0 > 0.333); assert((float)16777217 == 16777216.0f);
  double nan = 0.0 / 0.0; assert(nan != nan); assert(!(nan < 1)); assert(1 / -0.0 < 0); float g = 1e30f; g *= g; assert(g > 3e38f); assert(5 / 2 * 2.0 == 4.0); long double ld = 1.0L / 3; assert(ld * 3 == 1.0L);
  return 0;
}
