#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t full, empty;
int slot, seen;

void *producer(void *argument) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty);
    slot = i;
    sem_post(&full);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  int value;
  assert(sem_init(&full, 0, 0) == 0 && sem_init(&empty, 0, 1) == 0);
  assert(sem_trywait(&full) == -1);
  assert(sem_trywait(&empty) == 0);
  assert(sem_post(&empty) == 0);
  assert(sem_getvalue(&empty, &value) == 0 && value == 1);
  pthread_create(&thread, 0, producer, 0);
  for (int i = 1; i <= 2; i++) {
    sem_wait(&full);
    assert(slot == i);
    sem_post(&empty);
  }
  pthread_join(thread, 0);
  assert(sem_trywait(&full) != 0);
  return 0;
}
