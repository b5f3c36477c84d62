// RUN: summaries --from-proofs
// Of a C program, conditions are said in C's terms, too.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int calls;

int clamp(int x, unsigned most) {
  calls = calls + 1;
  if (x < 0) return 0;
  if ((unsigned)x > most) return most > 1000 ? 1000 : (int)most;
  return x;
}

unsigned twice(unsigned n) { return n > 100 ? 200 : n + n; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int r = clamp(n, 50);
  unsigned t = twice((unsigned)r);
  __VERIFIER_assert(r >= 0);
  __VERIFIER_assert(t <= 200);
  return 0;
}
