/* Peterson's algorithm: mutual exclusion of two threads by shared variables alone. With -D BUG a thread gives the turn away
   before it says that it wants to enter. */
#include <assert.h>
#include <pthread.h>

_Atomic int wants[2], turn, inside;

void *worker(void *argument) {
  int me = *(int *)argument, other = 1 - me;
#ifdef BUG
  turn = other;
  wants[me] = 1;
#else
  wants[me] = 1;
  turn = other;
#endif
  while (wants[other] && turn == other) {
  }
  inside++;
  assert(inside == 1);
  inside--;
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
