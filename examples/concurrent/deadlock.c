/* Two threads take two mutexes. With -D BUG each takes them in another order, and both may have one and wait for the other:
   --checks deadlock finds that. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int both;

void use(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  both++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

void *forwards(void *argument) {
  use(&a, &b);
  return 0;
}

void *backwards(void *argument) {
#ifdef BUG
  use(&b, &a);
#else
  use(&a, &b);
#endif
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, forwards, 0);
  pthread_create(&other, 0, backwards, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
