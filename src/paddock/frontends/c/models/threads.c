/* Threads of POSIX and of C11, by what the lowering knows of them: `__paddock_thread` and `__paddock_thread_int` are
   called asynchronously. */

typedef unsigned long pthread_t;
typedef void *Start(void *);
typedef int StartInt(void *);
typedef void Destructor(void *);

void __paddock_keep_result(pthread_t thread, void *result);
void *__paddock_result(pthread_t thread, void *any);
void __paddock_keep_specific(unsigned long slot, const void *value);
void *__paddock_specific(unsigned long slot, void *any);
pthread_t __paddock_child_thread(void);
pthread_t __paddock_this_thread(void);
void __paddock_join(pthread_t thread);
void __paddock_start_thread(void);
void __paddock_exit_thread(void);
void __paddock_count_thread(void);
void __paddock_end_thread(pthread_t thread);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void *any_result;   /* what results of threads may point to */
static void *any_specific; /* what values of keys may point to */
static unsigned keys;      /* how many there are */
enum { MOST_KEYS = 1024, MOST_ITERATIONS = 4, AGAIN = 11, INVALID = 22 };
static Destructor *destructors[MOST_KEYS];

static void keep_values(void) {
}

static void (*at_end)(void) = keep_values; /* what threads do where they end: more, once a key has a destructor */

static void end_thread(void) {
  at_end();
  __paddock_end_thread(__paddock_this_thread());
}

void __paddock_thread(Start *start, void *argument) {
  __paddock_start_thread();
  void *result = start(argument);
  if (0) any_result = result;
  __paddock_keep_result(__paddock_this_thread(), result);
  end_thread();
}

void __paddock_thread_int(StartInt *start, void *argument) {
  __paddock_start_thread();
  int result = start(argument);
  __paddock_keep_result(__paddock_this_thread(), (void *)(long)result);
  end_thread();
}

int pthread_create(pthread_t *thread, const void *attributes, Start *start, void *argument) {
  __paddock_count_thread();
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
  end_thread();
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

int pthread_yield(void) {
  return 0;
}

int sched_yield(void) {
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  if (old) *old = 0;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (old) *old = 0;
  return 0;
}

void pthread_testcancel(void) {
}

/* --- attributes, which change nothing here */

int pthread_attr_init(void *attributes) {
  return 0;
}

int pthread_attr_destroy(void *attributes) {
  return 0;
}

int pthread_attr_setdetachstate(void *attributes, int state) {
  return 0;
}

int pthread_attr_setstacksize(void *attributes, unsigned long size) {
  return 0;
}

int pthread_attr_setscope(void *attributes, int scope) {
  return 0;
}

/* --- values of threads */

static void destroy_values(void) {
  unsigned long first = __paddock_this_thread() * MOST_KEYS;
  for (int n = 0, again = 1; again && n < MOST_ITERATIONS; n++) {
    again = 0;
    for (unsigned key = 0; key < keys; key++) {
      Destructor *destructor = destructors[key];
      void *value = destructor ? __paddock_specific(first + key, any_specific) : 0;
      if (value) {
        __paddock_keep_specific(first + key, 0);
        destructor(value);
        again = 1;
      }
    }
  }
}

int pthread_key_create(unsigned *key, Destructor *destructor) {
  int result = AGAIN;
  __VERIFIER_atomic_begin();
  unsigned new = keys;
  if (new < MOST_KEYS) {
    keys = new + 1;
    if (destructor) {
      destructors[new] = destructor;
      at_end = destroy_values;
    }
    result = 0;
  }
  __VERIFIER_atomic_end();
  if (!result) *key = new;
  return result;
}

int pthread_key_delete(unsigned key) {
  if (key >= keys) return INVALID;
  destructors[key] = 0;
  return 0;
}

int pthread_setspecific(unsigned key, const void *value) {
  if (key >= MOST_KEYS) return INVALID;
  if (0) any_specific = (void *)value;
  __paddock_keep_specific(__paddock_this_thread() * MOST_KEYS + key, value);
  return 0;
}

void *pthread_getspecific(unsigned key) {
  if (key >= MOST_KEYS) return 0;
  return __paddock_specific(__paddock_this_thread() * MOST_KEYS + key, any_specific);
}

/* --- C11 */

int thrd_create(pthread_t *thread, StartInt *start, void *argument) {
  __paddock_count_thread();
  __paddock_thread_int(start, argument);
  *thread = __paddock_child_thread();
  return 0;
}

int thrd_join(pthread_t thread, int *result) {
  __paddock_join(thread);
  if (result) *result = (int)(long)__paddock_result(thread, any_result);
  return 0;
}

void thrd_exit(int result) {
  __paddock_keep_result(__paddock_this_thread(), (void *)(long)result);
  end_thread();
  __paddock_exit_thread();
}

pthread_t thrd_current(void) {
  return __paddock_this_thread();
}

int thrd_equal(pthread_t one, pthread_t other) {
  return one == other;
}

int thrd_detach(pthread_t thread) {
  return 0;
}

void thrd_yield(void) {
}

int thrd_sleep(const void *duration, void *remaining) {
  return 0;
}

int tss_create(unsigned *key, Destructor *destructor) {
  return pthread_key_create(key, destructor) ? 2 : 0;
}

void tss_delete(unsigned key) {
  pthread_key_delete(key);
}

int tss_set(unsigned key, void *value) {
  return pthread_setspecific(key, value) ? 2 : 0;
}

void *tss_get(unsigned key) {
  return pthread_getspecific(key);
}
