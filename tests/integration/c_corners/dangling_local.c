// bug: --checks pointer
int*f(void){
  int x=3;
  return &x;
}
int main(void){
  int*p=f();
  return *p;
}
