// RUN: transform --pass lower --tune integers=math
// RUN: check --tune integers=math
// The same with integers of mathematics: unsigned arithmetic still wraps around.
extern void reach_error(void);
extern unsigned nondet_uint(void);

int main(void) {
  unsigned x = nondet_uint();
  int half = x >> 1;
  if (half < 0 || (x & 7) > 7) reach_error();
  if (x + 1 == 0 && x != 4294967295u) reach_error();
  return 0;
}
