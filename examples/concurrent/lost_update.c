/* Two threads add to a counter. With -D BUG they do so without the mutex, and one addition may be lost. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int balance;

void *deposit(void *amount) {
#ifndef BUG
  pthread_mutex_lock(&mutex);
#endif
  balance += *(int *)amount;
#ifndef BUG
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}

int main(void) {
  pthread_t one, other;
  int first = 1, second = 2;
  pthread_create(&one, 0, deposit, &first);
  pthread_create(&other, 0, deposit, &second);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(balance == 3);
  return 0;
}
