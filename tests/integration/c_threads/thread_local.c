#include <assert.h>
#include <pthread.h>

_Thread_local int own = 3;
__thread struct {
  int a, b;
} pair;
int shared;

int count(void) {
  static _Thread_local int calls;
  return ++calls;
}

void *worker(void *argument) {
  assert(own == 3 && pair.a == 0 && pair.b == 0);
  own = *(int *)argument;
  pair.b = own;
  shared = own;
  assert(count() == 1 && count() == 2);
  assert(own == *(int *)argument && pair.b == own);
  return 0;
}

int main(void) {
  pthread_t one, other;
  int numbers[2] = {5, 6};
  own++;
  assert(count() == 1);
  pthread_create(&one, 0, worker, &numbers[0]);
  pthread_create(&other, 0, worker, &numbers[1]);
  assert(own == 4 && pair.b == 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(own == 4 && pair.b == 0 && count() == 2);
  assert(shared == 5 || shared == 6);
  return 0;
}
