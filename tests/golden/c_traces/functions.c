// RUN: check
// RUN: check --function apply
#include <assert.h>
extern long __VERIFIER_nondet_long(void);
int calls;
extern int limit;

int twice(int x) { calls++; return 2 * x; }
int negate(int x) { calls++; return -x; }

struct operation { const char *name; int (*run)(int); };
struct operation table[] = {{"twice", twice}, {"negate", negate}};

struct pair { int first; int second; };

struct pair apply(struct operation *which, int x) {
  struct pair p;
  p.first = which->run(x);
  p.second = p.first;
  assert(p.second != 1000);
  return p;
}

unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  static int started;
  started = 1;
  struct pair p = apply(&table[1], (int)fib(3));
  int (*f)(int) = p.first < 0 ? twice : negate;
  p.second = f(p.second);
  assert(p.second != -4 || calls != 2 || limit != 3);
  return 0;
}
