/* Dekker's algorithm: mutual exclusion of two threads by shared variables alone. With -D BUG a thread does not say that it
   wants to enter before it looks whether the other one does. */
#include <assert.h>
#include <pthread.h>

_Atomic int wants[2], turn, inside;

void *worker(void *argument) {
  int me = *(int *)argument, other = 1 - me;
#ifndef BUG
  wants[me] = 1;
#endif
  while (wants[other]) {
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) {
      }
      wants[me] = 1;
    }
  }
#ifdef BUG
  wants[me] = 1;
#endif
  inside++;
  assert(inside == 1);
  inside--;
  turn = other;
  wants[me] = 0;
  return 0;
}

int main(void) {
  pthread_t one, other;
  int first = 0, second = 1;
  pthread_create(&one, 0, worker, &first);
  pthread_create(&other, 0, worker, &second);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
