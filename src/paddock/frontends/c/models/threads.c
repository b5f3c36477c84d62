/* POSIX threads, by what the lowering knows of them: `__paddock_thread` is called asynchronously. */

typedef unsigned long pthread_t;
typedef void *Start(void *);

void __paddock_keep_result(pthread_t thread, void *result);
void *__paddock_result(pthread_t thread, void *any);
pthread_t __paddock_child_thread(void);
pthread_t __paddock_this_thread(void);
void __paddock_join(pthread_t thread);
void __paddock_exit_thread(void);

static void *any_result; /* what results of threads may point to */

void __paddock_thread(Start *start, void *argument) {
  void *result = start(argument);
  if (0) any_result = result;
  __paddock_keep_result(__paddock_this_thread(), result);
}

int pthread_create(pthread_t *thread, const void *attributes, Start *start, void *argument) {
  __paddock_thread(start, argument);
  *thread = __paddock_child_thread();
  return 0;
}

int pthread_join(pthread_t thread, void **result) {
  __paddock_join(thread);
  if (result) *result = __paddock_result(thread, any_result);
  return 0;
}

void pthread_exit(void *result) {
  if (0) any_result = result;
  __paddock_keep_result(__paddock_this_thread(), result);
  __paddock_exit_thread();
}

pthread_t pthread_self(void) {
  return __paddock_this_thread();
}

int pthread_equal(pthread_t one, pthread_t other) {
  return one == other;
}

int pthread_detach(pthread_t thread) {
  return 0;
}
