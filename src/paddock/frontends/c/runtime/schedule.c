/* --- The schedule: a context is what a thread does from a switch to a switch. Semaphores let one thread run at a time.
   The program is compiled with hooks before each access to memory (-fsanitize=thread, without its library). A thread does
   in a context as many accesses of each object, and calls of each function, as it did there in the trace; before one more
   it waits for its next context. In the last context everything goes. */

typedef union {
  char size[32];
  long align;
} semaphore;
extern int SEM_INIT(void *, int, unsigned), SEM_WAIT(void *), SEM_POST(void *);
extern unsigned alarm(unsigned);
extern void *signal(int, void *), *malloc(unsigned long);
extern long write(int, const void *, unsigned long);
extern void _exit(int);

static semaphore turns[THREADS];
static volatile int now, threads, waiting, ended[THREADS];
static __thread int me;

static void say(const char *text) {
  unsigned long length = 0;
  while (text[length]) length++;
  if (write(2, text, length) < 0) _exit(3);
}

/* Every second: has nothing gone on for a while? */
static void look(int number) {
  static int seconds, blocked;
  blocked = DEADLOCK && now >= CONTEXTS - 1 && !waiting ? blocked + 1 : 0;
  if (blocked == 2) {
    say("all threads are blocked\n");
    abort();
  }
  if (++seconds == 20) {
    say(now >= CONTEXTS - 1 ? "the last context has begun, and nothing has failed\n" : "the schedule did not happen\n");
    _exit(3);
  }
  alarm(1);
}

__attribute__((constructor(101))) static void begin(void) {
  for (int n = 0; n < THREADS; n++) SEM_INIT(&turns[n], 0, 0);
  signal(14, look);
  alarm(1);
}

static void wait_for_turn(void) {
  if (me >= THREADS) me = THREADS - 1;
  __sync_fetch_and_add(&waiting, 1);
  while (SEM_WAIT(&turns[me])) {
  }
  __sync_fetch_and_sub(&waiting, 1);
}

/* The next context begins; a thread that has ended has none. */
static void hand_over(void) {
  if (now >= CONTEXTS - 1) return;
  do now++;
  while (now < CONTEXTS - 1 && ended[of_context[now]]);
  SEM_POST(&turns[of_context[now]]);
}

/* Whether the thread blocks for good in what it is about to do: then others go on. */
static int happens(int key) {
  for (;;) {
    if (stuck[now] == key && (key < FIRST_CALL || !allowed[now][key])) {
      hand_over();
      return 1;
    }
    if (now >= CONTEXTS - 1) return 0;
    if (allowed[now][key] > 0) {
      allowed[now][key]--;
      return 0;
    }
    hand_over();
    wait_for_turn();
  }
}

static void ends(void) {
  if (me < THREADS) ended[me] = 1;
  hand_over();
}

/* The process ends when others have done what they do before. */
__attribute__((destructor)) static void end(void) {
  if (now >= CONTEXTS - 1) return;
  ends();
  wait_for_turn();
}

/* --- accesses */

extern char __data_start[], _end[];
extern int pthread_getattr_np(unsigned long, void *), pthread_attr_getstack(void *, void **, unsigned long *);
extern int pthread_attr_destroy(void *);
extern unsigned long pthread_self(void);

static int is_own(const char *place) {
  static __thread char *bottom;
  static __thread unsigned long size;
  if (!size) {
    char attributes[64];
    pthread_getattr_np(pthread_self(), attributes);
    pthread_attr_getstack(attributes, (void **)&bottom, &size);
    pthread_attr_destroy(attributes);
  }
  return place >= bottom && place < bottom + size;
}

/* The key of an object, or -1 for what is not counted. */
static int key_of(const char *place, int writes) {
  static __thread char own;
  for (int n = 0; n < OBJECTS; n++)
    if (place >= objects[n].start && place < objects[n].start + objects[n].size) return 2 + 2 * n;
  if ((place >= __data_start && place < _end) || ((!COUNTS_LOCALS || writes) && is_own(place))) return -1;
  return place > &own - 4096 && place < &own + 4096 ? -1 : 0;
}

static void accessed(void *place, int writes) {
  int key = key_of(place, writes);
  if (key >= 0) happens(key + writes);
}

static void also_written(void *place) {
  int key = key_of(place, 1);
  if (key >= 0 && allowed[now][key + 1] > 0) allowed[now][key + 1]--;
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {}
void __tsan_func_exit(void) {}
void __tsan_read_range(void *place, unsigned long size) { accessed(place, 0); }
void __tsan_write_range(void *place, unsigned long size) { accessed(place, 1); }
#define ACCESSES(size) \
  void __tsan_read##size(void *place) { accessed(place, 0); } \
  void __tsan_write##size(void *place) { accessed(place, 1); } \
  void __tsan_unaligned_read##size(void *place) { accessed(place, 0); } \
  void __tsan_unaligned_write##size(void *place) { accessed(place, 1); } \
  void __tsan_volatile_read##size(void *place) { accessed(place, 0); } \
  void __tsan_volatile_write##size(void *place) { accessed(place, 1); }
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)

#define UPDATE(bits, type, name) \
  type __tsan_atomic##bits##_##name(type *place, type value, int order) { \
    accessed(place, 0); \
    also_written(place); \
    return __atomic_##name(place, value, 5); \
  }
#define EXCHANGE(bits, type, name) \
  int __tsan_atomic##bits##_compare_exchange_##name(type *place, type *expected, type value, int order, int failed) { \
    accessed(place, 0); \
    int done = __atomic_compare_exchange_n(place, expected, value, 0, 5, 5); \
    if (done) also_written(place); \
    return done; \
  }
#define ATOMIC(bits, type) \
  type __tsan_atomic##bits##_load(type *place, int order) { \
    accessed(place, 0); \
    return __atomic_load_n(place, 5); \
  } \
  void __tsan_atomic##bits##_store(type *place, type value, int order) { \
    accessed(place, 1); \
    __atomic_store_n(place, value, 5); \
  } \
  type __tsan_atomic##bits##_exchange(type *place, type value, int order) { \
    accessed(place, 0); \
    also_written(place); \
    return __atomic_exchange_n(place, value, 5); \
  } \
  UPDATE(bits, type, fetch_add) UPDATE(bits, type, fetch_sub) UPDATE(bits, type, fetch_and) \
  UPDATE(bits, type, fetch_or) UPDATE(bits, type, fetch_xor) UPDATE(bits, type, fetch_nand) \
  EXCHANGE(bits, type, strong) EXCHANGE(bits, type, weak)
ATOMIC(8, unsigned char) ATOMIC(16, unsigned short) ATOMIC(32, unsigned int) ATOMIC(64, unsigned long)
void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}

/* --- threads */

__attribute__((weak)) void __VERIFIER_atomic_begin(void) {} /* no context ends in an atomic section */
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}

struct start {
  void *(*function)(void *);
  void *argument;
  int number;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  me = start.number;
  wait_for_turn();
  void *result = start.function(start.argument);
  ends();
  return result;
}

static void *started(void *function, void *argument) {
  struct start *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  start->number = ++threads;
  return start;
}
