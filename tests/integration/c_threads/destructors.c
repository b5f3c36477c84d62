#include <assert.h>
#include <pthread.h>

pthread_key_t counted, renewed, deleted;
int values[2], total, rounds;

void count(void *value) {
  assert(pthread_getspecific(counted) == 0);
  total += *(int *)value;
}

void renew(void *value) {
  if (++rounds < 3) pthread_setspecific(renewed, value);
}

void *worker(void *argument) {
  int *value = argument;
  *value = 5;
  pthread_setspecific(counted, value);
  if (value == &values[0]) {
    pthread_setspecific(renewed, &total);
    pthread_setspecific(deleted, value);
    pthread_key_delete(deleted);
    return 0;
  }
  pthread_exit(0);
}

int main(void) {
  pthread_t one, other;
  pthread_key_create(&counted, count);
  pthread_key_create(&renewed, renew);
  pthread_key_create(&deleted, count);
  pthread_create(&one, 0, worker, &values[0]);
  pthread_join(one, 0);
  assert(total == 5 && rounds == 3);
  pthread_create(&other, 0, worker, &values[1]);
  pthread_join(other, 0);
  assert(total == 10 && rounds == 3);
  return 0;
}
