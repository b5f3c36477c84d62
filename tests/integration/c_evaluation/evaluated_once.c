/* Every address, index and length is evaluated once, before anything is stored; an assignment has the value it stores. */
#include <assert.h>
#include <string.h>
#include <stdlib.h>
#include <stdarg.h>
struct A { struct A *p; int v; };
struct B { struct B *p; int n; int a[3]; int m; };
struct I { int i; int x; int y; };
struct F { unsigned a : 3; int b : 4; unsigned c : 9; _Bool d : 1; };
union U { unsigned u; unsigned char c[4]; };

/* A function that the right side calls is called before the old value is read, or after the new one is stored. */
static int changed = 1, *walking; static double measured = 1;
static int change(void) { changed += 10; measured = 2; walking++; return 1; }

CASE(update_after_call, 1207) {
  changed += change(); int r = changed; changed = 5; changed <<= (changed = 2, 1); return r * 100 + changed + 3;
}

CASE(update_after_call_others, 4551) {
  int a[4] = {1, 2, 3, 4}; walking = a; walking += change(); measured = 1; measured *= change();
  struct F f = {3}; f.a |= (f.a = 4, 1); unsigned char c = 250; c += change() + 4 + (c = 0);
  changed = 4; int old = changed++ * 100 + change(); return (int)(walking - a) * 10 + (int)measured * 500 + f.a * 20 +
  c * 600 + old;
}

CASE(struct_through_member, 1) {
  struct A y = {0, 7}, x = {&x, 1}; *x.p = y; return x.v == 7 && x.p == 0;
}

CASE(struct_through_member_chain, 1171) {
  struct A z = {0, 9}, y = {&z, 7}, x = {&y, 1}; *x.p->p = x; return z.v * 100 + y.v * 10 + x.v + (z.p == &y) *
  1000;
}

CASE(struct_from_member, 71) {
  struct A y = {0, 7}, x = {&y, 1}; x = *x.p; return x.v * 10 + (x.p == 0);
}

CASE(struct_global, 61) {
  static struct A g[2]; g[0].p = &g[0]; g[0].v = 5; g[1].v = 6; *g[0].p = g[1]; return g[0].v * 10 + (g[0].p ==
  0);
}

CASE(struct_index_in_struct, 789) {
  struct I s[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; s[s[0].i] = s[2]; return s[1].i * 100 + s[1].x * 10 +
  s[1].y;
}

CASE(struct_index_overwritten, 456) {
  struct I s[3] = {{0, 2, 3}, {4, 5, 6}, {7, 8, 9}}; s[s[0].i] = s[1]; return s[0].i * 100 + s[0].x * 10 +
  s[0].y;
}

CASE(struct_index_read_overwritten, 789) {
  struct I s[3] = {{2, 2, 3}, {4, 5, 6}, {7, 8, 9}}; s[0] = s[s[0].i]; return s[0].i * 100 + s[0].x * 10 +
  s[0].y;
}

CASE(struct_memory_index_read, 789) {
  struct I s[3] = {{2, 2, 3}, {4, 5, 6}, {7, 8, 9}}, *p = s; p[0] = p[p[0].i]; return s[0].i * 100 + s[0].x * 10
  + s[0].y;
}

CASE(struct_memory_index_written, 40456) {
  struct I s[3] = {{2, 2, 3}, {4, 5, 6}, {7, 8, 9}}, *p = s; p[p[2].i - 7] = p[1]; p[p[0].i - 2] = p[1]; return
  s[0].i * 100 + s[0].x * 10 + s[0].y + s[2].i * 10000;
}

CASE(array_in_struct_through_member, 12345) {
  struct B y = {0, 1, {2, 3, 4}, 5}, x = {&x, 6, {7, 8, 9}, 6}; *x.p = y; return x.n * 10000 + x.a[0] * 1000 +
  x.a[1] * 100 + x.a[2] * 10 + x.m;
}

CASE(array_in_struct_from_member, 12345) {
  struct B y = {0, 1, {2, 3, 4}, 5}, x = {&y, 6, {7, 8, 9}, 6}; x = *x.p; return x.n * 10000 + x.a[0] * 1000 +
  x.a[1] * 100 + x.a[2] * 10 + x.m;
}

CASE(array_in_struct_index, 23337) {
  struct B t[2] = {{0, 1, {1, 0, 4}, 5}, {0, 2, {3, 3, 3}, 7}}, *p = t; p[p[0].a[1]] = p[p[0].a[0]]; return
  t[0].n * 10000 + t[0].a[0] * 1000 + t[0].a[1] * 100 + t[0].a[2] * 10 + t[0].m;
}

CASE(array_in_struct_index_plain, 23337) {
  struct B t[2] = {{0, 1, {1, 0, 4}, 5}, {0, 2, {3, 3, 3}, 7}}; t[t[0].a[1]] = t[t[0].a[0]]; return t[0].n *
  10000 + t[0].a[0] * 1000 + t[0].a[1] * 100 + t[0].a[2] * 10 + t[0].m;
}

CASE(value_index, 11) {
  static int a[2]; int r = a[a[0]] = 1; return r * 10 + a[0];
}

CASE(value_index_local, 11) {
  int a[2] = {0, 5}; int r = a[a[0]] = 1; return r * 10 + a[0];
}

CASE(value_through_member, 1) {
  struct A x = {&x, 3}; struct A *r = x.p->p = 0; return r == 0;
}

CASE(value_through_member_2, 1) {
  struct A y = {0, 7}, x = {&x, 1}; y.p = (struct A *)16; struct A *r = x.p->p = &y; return r == &y;
}

CASE(value_chain, 2222) {
  int a[3] = {1, 2, 0}; int i = 0; int k = a[a[0]] = i = a[2] = 2; return a[1] * 100 + i * 10 + a[2] + k * 1000;
}

CASE(value_struct_member, 2) {
  struct A x = {&x, 1}, y = {0, 2}; int r = (*x.p = y).v; return r;
}

CASE(value_struct_chain, 122) {
  struct A x = {&x, 1}, y = {0, 2}, z; z = *x.p = y; return z.v * 10 + x.v + (z.p == 0) * 100;
}

CASE(value_narrow, 44255) {
  char c; int r = c = 300; unsigned char u; int q = u = -1; return r * 1000 + q;
}

CASE(value_narrow_chain, 52052) {
  short s; char c; int r = s = c = 0x1234; return r * 1000 + s;
}

CASE(value_bool, 1) {
  _Bool b; int r = b = 42; return r;
}

CASE(value_float, 300) {
  int i; float f; double d = f = i = 3.75; return d * 100;
}

CASE(value_float_narrow, 0) {
  float f; double d = f = 0.1; return d == 0.1;
}

CASE(value_bit_field, 493) {
  struct F f = {0}; int r = f.a = 13; int q = f.b = 9; return r * 100 + q;
}

CASE(value_bit_field_memory, 1493) {
  struct F f = {0}, *p = &f; int r = p->a = 13; int q = p->b = 9; int d = p->d = 6; return r * 100 + q + d *
  1000;
}

CASE(value_bit_field_update, 1221) {
  struct F f = {7, 7, 511, 1}, *p = &f; int r = ++p->a; int q = ++f.b; int s = p->c += 3; int t = f.d++; return
  r * 10000 + (q + 20) * 100 + s * 10 + t;
}

CASE(value_bit_field_old, 776) {
  struct F f = {7, 7, 511, 1}; int r = f.a++; int q = f.b--; return r * 100 + q * 10 + f.a + f.b;
}

CASE(value_bool_bit_field, 11) {
  struct F f = {0}; int r = f.d = 2; return r * 10 + (f.d += 3);
}

CASE(value_update_index, 11) {
  int a[2] = {0, 5}; int r = ++a[a[0]]; return r * 10 + a[0];
}

CASE(value_update_index_memory, 115) {
  int a[2] = {0, 5}, *p = a; int r = ++p[p[0]]; return r * 100 + a[0] * 10 + a[1];
}

CASE(value_old_index, 15) {
  int a[2] = {0, 5}, *p = a; int r = p[p[0]]++; return r * 100 + a[0] * 10 + a[1];
}

CASE(value_compound_index, 3253) {
  int a[3] = {2, 5, 7}, *p = a; int r = p[p[0]] -= 4; return r * 1000 + a[0] * 100 + a[1] * 10 + a[2];
}

CASE(value_compound_self, 2257) {
  int a[3] = {0, 5, 7}, *p = a; int r = p[p[0]] += 2; return r * 1000 + a[0] * 100 + a[1] * 10 + a[2];
}

CASE(value_pointer_update, 94) {
  int a[3] = {1, 2, 3}; int *p = a, **q = &p; *(*q)++ = 9; int k = p == a + 1; return a[0] * 10 + k + *++*q;
}

CASE(value_pointer_self, 1) {
  void *p; p = &p; void **r = *(void ***)p = 0; return r == 0 && p == 0;
}

CASE(update_through_self, 5) {
  struct A x = {&x, 1}; x.p->v += 2, x.p->v *= 3; return x.p->v -= x.p->v / 2;
}

CASE(compound_call_moves_pointer, 610) {
  static int a[2]; static int *p; p = a; a[0] = 1; a[1] = 10; { int r = *p; (void)r; } int *q = p; *q += (p = a
  + 1, 5); return a[0] * 100 + a[1];
}

CASE(index_effect, 21122) {
  int a[4] = {1, 2, 3, 4}, i = 0; a[i++] += 10; a[i++] += 20; return a[0] * 100 + a[1] + i * 10000;
}

CASE(index_effect_struct, 41) {
  struct I s[2] = {{1, 2, 3}, {4, 5, 6}}; int i = 0; s[i++] = s[1]; return s[0].i * 10 + i;
}

CASE(nested_index, 77) {
  int a[5] = {3, 4, 0, 1, 2}, *p = a; int r = p[p[p[p[1]]]] = 7; return a[0] + r * 10;
}

CASE(memcpy_through_member, 71) {
  struct A y = {0, 7}, x = {&x, 1}; memcpy(x.p, &y, sizeof x); return x.v * 10 + (x.p == 0);
}

CASE(memcpy_returns, 1) {
  struct A y = {0, 7}, x = {&x, 1}; struct A *r = memcpy(x.p, &y, sizeof x); return r == &x;
}

CASE(memcpy_from_member, 71) {
  struct A y = {0, 7}, x = {&y, 1}; memcpy(&x, x.p, sizeof x); return x.v * 10 + (x.p == 0);
}

CASE(memcpy_length, 456) {
  struct { unsigned n; unsigned a[3]; } s = {16, {1, 2, 3}}, t = {0, {4, 5, 6}}; memcpy(&s, &t, s.n); return s.n
  * 1000 + s.a[0] * 100 + s.a[1] * 10 + s.a[2];
}

CASE(memcpy_length_maps, 456) {
  struct I s = {12, 2, 3}, t = {4, 5, 6}; memcpy(&s, &t, s.i); return s.i * 100 + s.x * 10 + s.y;
}

CASE(memmove_self, 459) {
  struct I s[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; memmove(s, s + s[0].i, sizeof(struct I) * (s[0].x)); return
  s[0].i * 100 + s[0].x * 10 + s[1].y;
}

CASE(memset_length, 0) {
  struct I s = {12, 2, 3}; memset(&s, 0, s.i); return s.i + s.x + s.y;
}

CASE(memset_length_part, 3) {
  struct I s = {8, 2, 3}; memset(&s, 0, s.i); return s.i + s.x * 10 + s.y;
}

CASE(memset_value, 1) {
  struct I s = {1, 2, 3}; memset(&s, s.i, sizeof s); return s.x == 0x01010101 && s.y == 0x01010101;
}

CASE(memset_pointer, 0) {
  struct A x = {&x, 5}; memset(x.p, 0, sizeof x); return x.v + (x.p != 0);
}

CASE(memset_returns, 1) {
  struct A x = {&x, 5}; return memset(x.p, 0, sizeof x) == &x;
}

CASE(realloc_length, 22) {
  unsigned *p = malloc(8); p[0] = 16; p[1] = 2; p = realloc(p, p[0]); p[3] = 4; return p[0] + p[1] + p[3];
}

CASE(realloc_in_itself, 3) {
  struct A *x = malloc(sizeof *x); x->p = x; x->v = 3; x = realloc(x->p, 2 * sizeof *x); return x->v;
}

CASE(overflow_self, 11) {
  int x = 2147483647, *p = &x; int r = __builtin_add_overflow(*p, 1, p); return r * 10 + (x < 0);
}

CASE(overflow_pointer, 10) {
  struct { int *p; int v; } s = {&s.v, 5}; int r = __builtin_mul_overflow(s.v, 2, s.p); return r * 100 + s.v;
}

CASE(call_struct_self, 7) {
  struct A y = {0, 7}, x = {&y, 1}; x = *x.p; x.p = &x; *x.p = *x.p; return x.v;
}

CASE(cond_place, 12) {
  int a = 1, b = 2, c = 1; *(c ? &c : &a) = 0; return c * 100 + a * 10 + b;
}

CASE(cond_place_value, 12) {
  int a = 1, b = 2, c = 1; int r = *(c ? &c : &a) = 0; return r * 1000 + c * 100 + a * 10 + b;
}

CASE(cond_struct, 10) {
  struct I s = {1, 2, 3}, t = {4, 5, 6}; int c = 1; s = (c ? t : s); t = c ? s : t; return s.i + t.y;
}

CASE(literal_self, 312) {
  struct I s = {1, 2, 3}; s = (struct I){s.y, s.i, s.x}; return s.i * 100 + s.x * 10 + s.y;
}

CASE(literal_self_memory, 312) {
  struct I s = {1, 2, 3}, *p = &s; *p = (struct I){p->y, p->i, p->x}; return s.i * 100 + s.x * 10 + s.y;
}

CASE(literal_through_member, 21) {
  struct A x = {&x, 1}; *x.p = (struct A){0, x.p->v + 1}; return x.v * 10 + (x.p == 0);
}

CASE(swap_by_comma, 41) {
  struct I s = {1, 2, 3}, t = {4, 5, 6}, u; u = s, s = t, t = u; return s.i * 10 + t.i;
}

CASE(union_part, 11) {
  union U u = {0}; int r = u.c[u.c[0]] = 1; return r * 10 + u.c[0];
}

CASE(union_part_update, 11) {
  union U u = {0}, *p = &u; int r = ++p->c[p->c[0]]; return r * 10 + u.c[0];
}

CASE(bytes_index, 33) {
  unsigned x = 0; unsigned char *p = (unsigned char *)&x; int r = p[x] = 3; return r * 10 + x;
}

CASE(bytes_pointer, 199) {
  struct A x = {&x, 1}; unsigned char *b = (unsigned char *)&x; int r = b[(x.p == &x) * 8] = 9; *(long *)x.p =
  0; return r * 10 + x.v + (x.p == 0) * 100;
}

CASE(array_of_pointers, 1) {
  int *a[2]; a[0] = (int *)&a[0]; *(int **)a[0] = 0; return a[0] == 0;
}

CASE(comma_value, 33) {
  int a[2] = {1, 0}; int r = (a[a[0]] = 3, a[a[0]]); return r * 10 + a[1];
}

CASE(statement_value, 11) {
  int a[2] = {0, 1}; int r = ({ a[a[0]] = 1; a[a[0]]; }); return r * 10 + a[0];
}

CASE(post_increment_kept, 5061) {
  int a[3] = {5, 6, 7}, i = 0; int r = a[i++] * 100 + 0; r += a[i] ; return r * 10 + i;
}

CASE(two_dimensional, 1010) {
  int a[2][2] = {{1, 0}, {0, 1}}; int r = a[a[0][0]][a[0][1]] = 1; int q = a[a[1][0]][a[1][1]] = 0; return r *
  1000 + q * 100 + a[1][0] * 10 + a[0][1];
}

CASE(two_dimensional_memory, 9559) {
  int a[2][2] = {{1, 1}, {0, 0}}, (*p)[2] = a; int r = p[p[0][0]][p[0][1]] = 9; int q = p[p[0][1] - 1][p[1][0]]
  = 5; return r * 1000 + q * 100 + a[0][0] * 10 + a[1][1];
}

CASE(logical_in_index, 1111) {
  int a[2] = {0, 0}, *p = a; int r = p[p[0] && p[1]] = 1; int q = p[p[0] || p[1]] = 1; return r * 1000 + q * 100
  + a[0] * 10 + a[1];
}
