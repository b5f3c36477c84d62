#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int operators;
atomic_int functions, filled;
int builtins, exchanged, slots[2];
atomic_flag flag = ATOMIC_FLAG_INIT;
int guarded;

void *worker(void *argument) {
  operators++;
  operators += 2;
  atomic_fetch_add(&functions, 3);
  __sync_fetch_and_add(&builtins, 1);
  __atomic_add_fetch(&builtins, 1, __ATOMIC_SEQ_CST);
  slots[filled++] = 1;
  if (__sync_bool_compare_and_swap(&exchanged, 0, 1)) guarded++;
  return 0;
}

int main(void) {
  pthread_t one, other;
  int expected = 5;
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(atomic_exchange(&functions, 5) == 0);
  assert(atomic_compare_exchange_strong(&functions, &expected, 0) && functions == 0);
  assert(!atomic_compare_exchange_strong(&functions, &expected, 1) && expected == 0);
  pthread_create(&one, 0, worker, 0);
  pthread_create(&other, 0, worker, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(operators == 6 && functions == 6 && builtins == 4);
  assert(slots[0] == 1 && slots[1] == 1 && filled == 2);
  assert(guarded == 1 && exchanged == 1);
  assert((operators *= 2) == 12 && operators-- == 12 && --operators == 10);
  return 0;
}
