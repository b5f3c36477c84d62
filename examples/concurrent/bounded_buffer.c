/* A buffer of one place between a producer and two consumers, with a condition variable. With -D BUG a consumer that was
   woken does not look again whether there is something, which the other one may have taken. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int count;

void *produce(void *argument) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

void *consume(void *argument) {
  pthread_mutex_lock(&mutex);
#ifdef BUG
  if (count == 0)
#else
  while (count == 0)
#endif
    pthread_cond_wait(&changed, &mutex);
  assert(count > 0);
  count--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second, producer;
  pthread_create(&first, 0, consume, 0);
  pthread_create(&second, 0, consume, 0);
  pthread_create(&producer, 0, produce, 0);
  pthread_join(producer, 0);
  return 0;
}
