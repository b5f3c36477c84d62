#include <assert.h>
#include <threads.h>

mtx_t mutex, recursive;
cnd_t condition;
once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int ready, made;

void make(void) {
  made++;
}

int worker(void *argument) {
  call_once(&flag, make);
  assert(tss_get(key) == 0);
  assert(tss_set(key, &made) == thrd_success && tss_get(key) == &made);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  return *(int *)argument;
}

int main(void) {
  thrd_t thread;
  int number = 7, result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(mtx_init(&recursive, mtx_recursive) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  assert(cnd_init(&condition) == thrd_success && tss_create(&key, 0) == thrd_success);
  assert(thrd_create(&thread, worker, &number) == thrd_success);
  assert(!thrd_equal(thread, thrd_current()));
  call_once(&flag, make);
  assert(made == 1);
  mtx_lock(&mutex);
  assert(mtx_trylock(&mutex) == thrd_busy);
  while (!ready) cnd_wait(&condition, &mutex);
  mtx_unlock(&mutex);
  assert(thrd_join(thread, &result) == thrd_success && result == 7);
  assert(tss_get(key) == 0);
  return 0;
}
