// safe: --tune integers=bits
// Structs, and other unions, are copied into and out of unions that no pointer points to.
#include <assert.h>
struct A { short x; unsigned char y; };
union V { struct A a; short i; };
union U { struct A a; unsigned l; union V v; struct { union V w; } n; };
struct W { char k; union U u; };
struct A part(struct W w) { return w.u.a; }
union U whole(struct A a) { union U u; u.l = 0; u.a = a; return u; }
union U global;
struct W array[3];
int main(void) {
  struct A a = {1, 3};
  union U u;
  u.a = a;
  struct A copy = u.a;
  assert(copy.x == 1 && copy.y == 3);
  struct W w = {7, {{9, 8}}}, w2 = w;
  union V v = w2.u.v;
  assert(v.i == 9 && v.a.y == 8);
  v.a.x = 11;
  w2.u.v = v;
  assert(w2.u.n.w.a.x == 11 && part(w2).y == 8 && whole(a).v.a.x == 1);
  global = whole(a);
  int i = global.v.i;
  array[i] = w2;
  array[2].u = array[i].u;
  array[0].u.a = array[2].u.a;
  assert(array[0].u.a.x == 11);
  union U in = {a}, zero = {}, either = i ? in : zero;
  assert(either.v.a.y == 3 && zero.l == 0 && (u.a = part(w2)).x == 11);
}
