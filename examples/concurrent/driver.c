/* A driver that counts requests in flight, so that it is not stopped while one is being served (after the Bluetooth driver
   of Qadeer and Wu, PLDI 2004). With -D BUG a request looks whether the driver is being stopped before it is counted. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

_Atomic int pending = 1, stopping, stopped;
sem_t drained;

void release(void) {
  if (--pending == 0) sem_post(&drained);
}

void *serve(void *argument) {
#ifdef BUG
  if (stopping) return 0;
  pending++;
#else
  pending++;
  if (stopping) {
    release();
    return 0;
  }
#endif
  assert(!stopped);
  release();
  return 0;
}

void *stop(void *argument) {
  stopping = 1;
  release();
  sem_wait(&drained);
  stopped = 1;
  return 0;
}

int main(void) {
  pthread_t request, stopper;
  sem_init(&drained, 0, 0);
  pthread_create(&request, 0, serve, 0);
  pthread_create(&stopper, 0, stop, 0);
  pthread_join(request, 0);
  pthread_join(stopper, 0);
  return 0;
}
