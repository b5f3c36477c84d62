// bug: --checks bounds
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void){
  unsigned n=__VERIFIER_nondet_uint();
  __VERIFIER_assume(n>0&&n<5);
  int a[n];
  a[3]=1;
  return a[0];
}
