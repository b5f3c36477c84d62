#ifndef __paddock_threads
#define __paddock_threads
#include <time.h>

typedef unsigned long thrd_t;
typedef unsigned int tss_t;
typedef int once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef union {
  long align;
  char size[40];
} mtx_t;
typedef union {
  long long align;
  char size[48];
} cnd_t;

#define ONCE_FLAG_INIT 0
#define thread_local _Thread_local
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
void thrd_exit(int result) __attribute__((__noreturn__));
thrd_t thrd_current(void);
int thrd_equal(thrd_t one, thrd_t other);
void thrd_yield(void);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
void call_once(once_flag *flag, void (*routine)(void));
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
int tss_set(tss_t key, void *value);
void *tss_get(tss_t key);

#endif
