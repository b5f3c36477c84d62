// safe: --checks shift,overflow
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void){
  int n=__VERIFIER_nondet_int();
  __VERIFIER_assume(n>=0&&n<=30);
  unsigned r=1u<<n;
  return r==0;
}
