// safe
#include <assert.h>
#include <stdatomic.h>

int main(void){
  atomic_int a=1;
  a++;
  a+=3;
  assert(a==5);
  assert(atomic_fetch_add(&a,2)==5&&atomic_load(&a)==7);
  int e=3;
  assert(!atomic_compare_exchange_strong(&a,&e,9)&&e==7);
  assert(atomic_compare_exchange_weak(&a,&e,9)&&a==9);
  assert(atomic_exchange(&a,1)==9);
  atomic_flag f=ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f));
  assert(atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  atomic_store(&a,4);
  assert(a==4);
  return 0;
}
