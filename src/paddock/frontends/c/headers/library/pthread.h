#ifndef __paddock_pthread
#define __paddock_pthread
#include <stddef.h>
#include <sys/types.h>

typedef unsigned long pthread_t;
typedef union {
  long align;
  char size[40];
} pthread_mutex_t;
typedef union {
  long long align;
  char size[48];
} pthread_cond_t;
typedef union {
  int align;
  char size[4];
} pthread_mutexattr_t;
typedef union {
  int align;
  char size[4];
} pthread_condattr_t;
typedef union {
  long align;
  char size[56];
} pthread_attr_t;

#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
void pthread_exit(void *result) __attribute__((__noreturn__));
pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);

#endif
