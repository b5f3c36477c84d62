// bug: --checks conversion
extern int __VERIFIER_nondet_int(void);

int main(void){
  int x=__VERIFIER_nondet_int();
  unsigned char c=x&0x1ff;
  return c;
}
