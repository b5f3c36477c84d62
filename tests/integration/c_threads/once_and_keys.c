#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key, another;
int made, value;

void make(void) {
  made++;
  pthread_key_create(&key, 0);
}

void *worker(void *argument) {
  pthread_once(&once, make);
  assert(made == 1);
  assert(pthread_getspecific(key) == 0);
  assert(pthread_setspecific(key, &value) == 0);
  assert(pthread_getspecific(key) == &value);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_once(&once, make);
  assert(made == 1);
  assert(pthread_getspecific(key) == 0);
  pthread_key_create(&another, 0);
  assert(another != key);
  pthread_join(thread, 0);
  assert(pthread_getspecific(key) == 0);
  return 0;
}
