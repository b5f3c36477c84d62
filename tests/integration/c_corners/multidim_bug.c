// bug: --checks bounds
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void){
  int m[2][3]={{0}};
  int i=__VERIFIER_nondet_int();
  __VERIFIER_assume(i>=0&&i<3);
  m[i][1]=1;
  return m[0][0];
}
