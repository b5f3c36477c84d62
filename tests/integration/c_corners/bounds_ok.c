// safe: --checks bounds,pointer
extern int __VERIFIER_nondet_int(void);

int a[4];
int main(void){
  int i=__VERIFIER_nondet_int();
  if(i>=0&&i<4) a[i]=1;
  int*p=a+4;
  p--;
  *p=2;
  char s[3];
  for(unsigned k=0;k<sizeof s;k++) s[k]=k;
  return s[2];
}
