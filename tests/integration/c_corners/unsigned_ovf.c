// bug: --checks unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void){
  unsigned a=__VERIFIER_nondet_uint(),b=__VERIFIER_nondet_uint();
  return a-b>3;
}
