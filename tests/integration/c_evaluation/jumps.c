/* Objects live from the entry into their block, also where jumps pass over their declarations, and each activation has its own. */
#include <assert.h>
#include <stdlib.h>
struct S { int i; int j; };

CASE(switch_over, 42) {
  int *p, r = 0; switch (3) { int d; case 3: p = &d; *p = 42; r = d; } return r;
}

CASE(switch_over_plain, 8) {
  int r = 0; switch (3) { int d; case 3: d = 4; r = d * 2; } return r;
}

CASE(switch_over_initialiser, 42) {
  int *p, r = 0; switch (2) { int d = 5; case 2: p = &d; *p = 42; r = d; } return r;
}

CASE(switch_default, 42) {
  int *p, r = 0; switch (7) { struct S s; case 1: default: p = &s.j; *p = 42; r = s.j; } return r;
}

CASE(switch_middle, 111) {
  int r = 0; for (int k = 0; k < 3; k++) switch (k) { case 0:; int d; int *p; d = 1; p = &d; r += *p; break;
  case 1: p = &d; *p = 10; r += d; break; default: p = &d; d = 100; r += *p; } return r;
}

CASE(switch_nested_block, 6) {
  int r = 0; switch (2) { case 1: { int d; int *p; case 2: p = &d; d = 6; r = *p; } } return r;
}

CASE(duff, 32) {
  int n = 5, r = 0; switch (n % 2) { do { int d; int *p; case 0: p = &d; *p = 1; r += d; case 1: p = &d; *p =
  10; r += d; } while ((n -= 2) > 0); } return r;
}

CASE(switch_in_loop, 34) {
  int r = 0, *q[2]; for (int i = 0; i < 2; i++) { switch (i) { int d; case 0: case 1: q[i] = &d; d = i + 3; r =
  r * 10 + *q[i]; } } return r;
}

CASE(switch_for, 5) {
  int r = 0; switch (1) { for (int i = 0; i < 2; i++) { case 1: i = 5; int *p = &i; r = *p; } } return r;
}

static int depth(int n) { int *p, *q, r = 0; switch (1) { int d, e; case 1: p = &d; q = &e; *p = n; *q = n + 1; if (n > 0) r = depth(n - 1); r = r * 100 + (p != q) * 10 + (d == n) + (e == n + 1); } return r; }

CASE(recursive_switch, 121212) {
  return depth(2);
}

CASE(goto_over, 3) {
  int *p; goto in; { int d; in: p = &d; *p = 3; return d; }
}

CASE(goto_over_in_block, 5) {
  int *p; if (1) goto in; int d = 4; in: p = &d; *p = 5; return d;
}

CASE(goto_over_array, 6) {
  goto in; { int d[3]; in:; int i; for (i = 0; i < 3; i++) d[i] = i * 2; int *p = d; return p[1] + p[2]; }
}

CASE(goto_over_struct, 45) {
  struct S *p; goto in; { struct S s; in: p = &s; p->i = 4; s.j = 5; return s.i * 10 + p->j; }
}

CASE(goto_over_two, 121) {
  int *p, *q; goto in; { int a; { int b; in: p = &a; q = &b; *p = 1; *q = 2; return a * 100 + b * 10 + (p != q);
  } }
}

CASE(goto_into_loop, 12) {
  int r = 0, i = 0; goto in; while (i < 3) { int d; in: d = i; int *p = &d; r = r * 10 + *p; i++; } return r;
}

CASE(goto_into_for, 2) {
  int r = 0; goto in; for (int i = 0; i < 3; i++) { r = 100; in: i = 2; int *p = &i; r += *p; } return r;
}

CASE(goto_back, 15) {
  int n = 0, *p = 0, k; again:; int x; if (n++ == 0) { p = &x; goto again; } k = p == &x; *p = 5; return k * 10
  + x;
}

CASE(goto_back_initialiser, 212) {
  int n = 0, *p = 0, r = 0; again:; int x = n; if (p) r = *p; p = &x; x += 10; if (n++ < 2) goto again; return r
  * 100 + x;
}

CASE(goto_back_block, 12) {
  int n = 0, *p = 0, r = 0; { again:; int x; p = &x; x = n; r = r * 10 + *p; if (n++ < 2) goto again; } return
  r;
}

CASE(goto_back_out_and_in, 12) {
  int n = 0, r = 0; again: { int x; int *p = &x; x = n; r = r * 10 + *p; if (n++ < 2) goto again; } return r;
}

CASE(literal_again, 11) {
  struct S { int i; } *p = 0, *q; int j = 0; again: q = p, p = &((struct S){j++}); if (j < 2) goto again; return
  (p == q) * 10 + q->i;
}

CASE(literal_kept, 45) {
  int *p = 0, n = 0, r = 0; again: if (n) r = *p; p = &(int){n + 4}; if (n++ < 1) goto again; return r * 10 +
  *p;
}

CASE(literal_in_loop_header, 11) {
  int *p = 0, *q = 0, n = 0; while (q = p, p = &(int){n}, n < 2) n++; return (p == q) * 10 + (n == 2);
}

CASE(literal_in_loop, 123) {
  int r = 0; for (int i = 0; i < 3; i++) { int *p = &(int){i}; *p += 1; r = r * 10 + *p; } return r;
}

CASE(literal_over, 9) {
  int *p; goto in; p = (int[]){1, 2}; return 0; in: p = (int[]){3, 4}; p[0] = 5; return p[0] + p[1];
}

CASE(variable_length_back, 615) {
  int n = 1, r = 0; again:; int a[n]; a[n - 1] = n; r = r * 10 + a[n - 1] + (int)sizeof a; if (n++ < 3) goto
  again; return r;
}

CASE(variable_length_out, 5) {
  int n = 2, r = 0; for (;;) { int a[n]; a[0] = a[n - 1] = n; a[n - 1] += 1; r += a[0]; if (n++ == 3) goto out;
  } out: return r;
}

static int deep(int n) { int *p, r = 0; goto in; { int d[2]; in: p = d; d[0] = n; d[1] = 7; if (n) r = deep(n - 1); r += d[0] * 10 + p[1]; } return r; }

CASE(recursive_goto, 51) {
  return deep(2);
}

static int fwd(int n, int *up) { int r; if (n == 2) goto skip; int other = 5; r = other; skip:; int own = n; int *p = &own; r = up ? *up * 10 + (up != p) : 0; if (n) { r += fwd(n - 1, p); } return r * 2 + own; }

CASE(recursive_forward, 176) {
  return fwd(2, 0);
}

static int back(int n) { int i = 0, *p = 0, r = 0; again:; int x; if (i == 0) { p = &x; } x = n + i; r += *p; if (n && i == 0) r += back(n - 1); if (i++ < 1) goto again; return r; }

CASE(back_in_recursion, 4) {
  return back(1);
}

CASE(statement_expression, 36) {
  int r = 0; for (int i = 0; i < 2; i++) r = r * 10 + ({ int k = 0, s = 0; more:; int x = k + i; int *p = &x; s
  += *p; if (k++ < 2) goto more; s; }); return r;
}

CASE(cleanup, 4) {
  int r = 0; if (r) goto out; int x = 3; int *p = &x; if (*p == 3) { int y = 4; p = &y; r = *p; goto out; } r =
  9; out: return r;
}

CASE(continue_over, 4) {
  int r = 0; for (int i = 0; i < 4; i++) { if (i & 1) continue; int x = i; int *p = &x; r += *p + 1; } return r;
}

CASE(break_out, 5) {
  int r = 0; for (int i = 0;; i++) { int x = i, *p = &x; if (i == 2) { int y = 5; p = &y; r = *p; break; } r +=
  *p; } return r;
}

CASE(two_labels, 47) {
  int r = 0, n = 0; start: if (n == 2) goto end; { int x; if (n == 1) goto mid; x = 7; int *p = &x; r += *p;
  mid: x = 20; p = &x; r += *p; } n++; goto start; end: return r;
}

CASE(labels_of_blocks, 2) {
  int x = 0;
  { __label__ out; if (x == 0) goto out; x = 5; out: x++; }
  { __label__ out; if (x == 1) goto out; x = 9; out: x++; }
  return x;
}

CASE(computed_goto, 2031) {
  static const void *const table[] = { &&more, &&twice, &&done };
  static const unsigned char code[] = { 0, 0, 0, 1, 0, 2 };
  const unsigned char *pc = code;
  int sum = 1, steps = 0;
  goto *table[*pc++];
more: sum += 5; steps++; goto *table[*pc++];
twice: sum *= 3; goto *table[*pc++];
done: return sum == 53 && &&more != &&done ? 2031 : steps;
}

CASE(computed_goto_into_block, 42) {
  void *where = &&inside;
  int *p, r = 0;
  goto *where;
  { int d; inside: p = &d; *p = 42; r = d; }
  return r;
}
