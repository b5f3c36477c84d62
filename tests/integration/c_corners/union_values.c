// safe: --tune integers=bits
// Arrays in unions and structs that are values of calls, with indices that are not constant and as pointers.
#include <assert.h>
union U { unsigned char a[4]; unsigned l; struct { unsigned char c[2]; short s; } t; };
struct S { union U u; char name[4]; };
union U make(unsigned l) { union U u; u.l = l; return u; }
struct S both(unsigned l) { struct S s = {{.l = l}, "abc"}; return s; }
int first(const char *p) { return p[0]; }
int main(void) {
  unsigned i = both(1).u.l;
  assert(make(0x0201).a[i] == 2 && make(0x0201).t.c[i] == 2 && both(0x03020100).u.a[i + 2] == 3);
  assert(both(0).name[i] == 'b' && first(both(0).name) == 'a');
  union U u = make(3), v = u;
  struct S s = {u}, r = s;
  r.u.a[1] = 4;
  s.u = r.u;
  assert(s.u.l == 0x0403 && v.a[1] == 0);
}
