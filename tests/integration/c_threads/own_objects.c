#include <assert.h>
#include <errno.h>
#include <pthread.h>

_Thread_local int own = 7;
static __thread int list[2];
int *of_main, seen;

static void add(int *place, int number) { *place += number; }

void *worker(void *argument) {
  assert(own == 7 && list[1] == 0 && errno == 0);
  add(&own, 1);
  add(&list[1], own);
  errno = EINTR;
  assert(&own != of_main);
  *of_main = 20;
  seen = list[1];
  assert(own == 8 && list[1] == 8 && errno == EINTR);
  return 0;
}

int main(void) {
  pthread_t thread;
  errno = EAGAIN;
  of_main = &own;
  add(&own, 2);
  assert(own == 9);
  pthread_create(&thread, 0, worker, 0);
  add(list, 3);
  pthread_join(thread, 0);
  assert(own == 20 && list[0] == 3 && list[1] == 0);
  assert(errno == EAGAIN && seen == 8);
  return 0;
}
