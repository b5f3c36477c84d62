/* A writer changes two variables that are equal for readers. With -D BUG it takes the lock as a reader does. */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int one, other;

void *write_both(void *argument) {
#ifdef BUG
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  one++;
  other++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

void *read_both(void *argument) {
  pthread_rwlock_rdlock(&lock);
  assert(one == other);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_both, 0);
  pthread_create(&reader, 0, read_both, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  return 0;
}
