// bug: --checks shift
extern int __VERIFIER_nondet_int(void);

int main(void){
  int a=__VERIFIER_nondet_int();
  return a<<1;
}
