// bug: --unwind 4
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

int find(const char*s,char c){
  const char*p=s;
  while(*p&&*p!=c) p++;
  return *p?p-s:-1;
}
int main(void){
  char b[4];
  b[0]=__VERIFIER_nondet_char();
  b[1]=__VERIFIER_nondet_char();
  b[2]=0;
  int i=find(b,'x');
  assert(i!=1);
  return 0;
}
