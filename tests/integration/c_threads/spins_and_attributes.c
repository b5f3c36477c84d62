#include <assert.h>
#include <pthread.h>
#include <sched.h>

pthread_spinlock_t lock;
int x;

void *worker(void *argument) {
  pthread_spin_lock(&lock);
  x++;
  pthread_spin_unlock(&lock);
  sched_yield();
  pthread_exit(&x);
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  void *result;
  int old;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE) == 0);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == 16);
  pthread_spin_unlock(&lock);
  assert(pthread_create(&thread, &attributes, worker, 0) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  pthread_spin_lock(&lock);
  x++;
  pthread_spin_unlock(&lock);
  assert(pthread_join(thread, &result) == 0);
  assert(result == &x && x == 2);
  return 0;
}
