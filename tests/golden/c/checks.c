// RUN: transform --pass lower --checks all --data-model ilp32
// Every check is an assertion with a kind and the expression it is about.
extern int nondet_int(void);
int table[4];
int main(void) {
  int i = nondet_int(), *p = &table[1];
  if (i < 0 || i > 4) return 1;
  table[i] = 100 / i;
  *p = (i + 2147483644) << i;
  signed char c = table[2];
  return 0;
}
