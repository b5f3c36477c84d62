// bug: --checks pointer
extern int __VERIFIER_nondet_int(void);

int one(void){
  return 1;
}
int main(void){
  int(*f)(void)=__VERIFIER_nondet_int()?one:0;
  return f();
}
