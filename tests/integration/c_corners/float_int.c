// bug: --checks conversion
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float f = __VERIFIER_nondet_float();
  int i = f;
  return i;
}
