// RUN: check --checks assert,overflow
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
union number { float f; unsigned bits; unsigned char bytes[4]; };
struct flags { unsigned low : 3; int high : 5; _Bool set : 1; };
enum state { IDLE, BUSY = 5, DONE };

int main(void) {
  union number n;
  n.f = __VERIFIER_nondet_float();
  if (n.bits != 0x40490fdb) return 0;
  double wide = n.f, tenth = 0.1f;
  struct flags flags = {9, -1, 5};
  flags.low += 7;
  flags.high = 16;
  enum state state = BUSY;
  if (wide > 3.0 && tenth != 0.1) state = DONE;
  switch (state) {
  case IDLE: return 0;
  case DONE: flags.set = 0; break;
  default: return 1;
  }
  int a = __VERIFIER_nondet_int();
  if (a > -2147483647) return 0;
  long long b = a + flags.high;
  assert(state != DONE);
  return 0;
}
