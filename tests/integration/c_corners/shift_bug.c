// bug: --checks shift
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void){
  int n=__VERIFIER_nondet_int();
  __VERIFIER_assume(n>=0&&n<=32);
  int r=1<<n;
  return r==0;
}
