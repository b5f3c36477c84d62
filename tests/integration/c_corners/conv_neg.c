// bug: --checks conversion
extern int __VERIFIER_nondet_int(void);

int main(void){
  int a=__VERIFIER_nondet_int();
  unsigned u=a;
  return u>>31;
}
