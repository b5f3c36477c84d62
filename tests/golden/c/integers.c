// RUN: transform --pass lower
// RUN: check
// Bit-precise integers: promotions, conversions, wrap-around.
extern void reach_error(void);
extern unsigned char nondet_uchar(void);

int main(void) {
  unsigned char c = nondet_uchar();
  int doubled = c + c;
  unsigned char small = doubled;
  if (small != (unsigned char)(2 * c)) reach_error();
  if (doubled > 255 && small >= c) reach_error();
  return 0;
}
