#include <assert.h>
#include <pthread.h>

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, checking;
int x;

void *other(void *argument) {
  assert(pthread_mutex_unlock(&checking) == 1);
  assert(pthread_mutex_trylock(&checking) == 16);
  assert(pthread_mutex_trylock(&recursive) == 16);
  assert(pthread_mutex_unlock(&recursive) == 1);
  pthread_mutex_lock(&plain);
  x++;
  pthread_mutex_unlock(&plain);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  int kind;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_mutexattr_destroy(&attributes);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == 35);
  assert(pthread_mutex_trylock(&checking) == 16);
  assert(pthread_mutex_trylock(&plain) == 0);
  assert(pthread_mutex_trylock(&plain) == 16);
  pthread_mutex_unlock(&plain);
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&plain);
  x++;
  pthread_mutex_unlock(&plain);
  pthread_join(thread, 0);
  assert(x == 2);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 1);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == 1);
  return 0;
}
