#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int ready[2], serial[2];

void *worker(void *argument) {
  int me = *(int *)argument;
  ready[me] = 1;
  int result = pthread_barrier_wait(&barrier);
  assert(ready[1 - me] == 1);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  serial[me] = result == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t one, other;
  int numbers[2] = {0, 1};
  assert(pthread_barrier_init(&barrier, 0, 0) != 0);
  assert(pthread_barrier_init(&barrier, 0, 2) == 0);
  pthread_create(&one, 0, worker, &numbers[0]);
  pthread_create(&other, 0, worker, &numbers[1]);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(serial[0] + serial[1] == 1);
  return 0;
}
