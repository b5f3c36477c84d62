/* Mutexes, condition variables, read-write locks, spin locks, semaphores, barriers and what is done once, of POSIX and
   of C11. What is known of an object is kept by its address: `__paddock_get_…` and `__paddock_set_…` are 0 at first, as
   objects with a static initialiser are. What is between `__VERIFIER_atomic_begin` and `_end` is one step; a thread that
   waits in it is blocked where it begins. */

typedef void Routine(void);

int __paddock_get_owner(const void *object);
int __paddock_get_depth(const void *object);
int __paddock_get_kind(const void *object);
int __paddock_get_readers(const void *object);
int __paddock_get_waiting(const void *object);
int __paddock_get_woken(const void *object);
int __paddock_get_value(const void *object);
int __paddock_get_needed(const void *object);
int __paddock_get_arrived(const void *object);
int __paddock_get_generation(const void *object);
int __paddock_get_once(const void *object);
void __paddock_set_owner(const void *object, int value);
void __paddock_set_depth(const void *object, int value);
void __paddock_set_kind(const void *object, int value);
void __paddock_set_readers(const void *object, int value);
void __paddock_set_waiting(const void *object, int value);
void __paddock_set_woken(const void *object, int value);
void __paddock_set_value(const void *object, int value);
void __paddock_set_needed(const void *object, int value);
void __paddock_set_arrived(const void *object, int value);
void __paddock_set_generation(const void *object, int value);
void __paddock_set_once(const void *object, int value);
unsigned long __paddock_this_thread(void);
void __paddock_wait_until(int condition);
void __paddock_set_errno(int number);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { RECURSIVE = 1, ERROR_CHECKING = 2 };                                            /* kinds of mutexes */
enum { NOT_PERMITTED = 1, AGAIN = 11, BUSY = 16, INVALID = 22, WOULD_BLOCK_FOR_EVER = 35, OVERFLOWN = 75, TIMED_OUT = 110 };
enum { THRD_BUSY = 1, THRD_ERROR = 2, THRD_TIMED_OUT = 4, MTX_RECURSIVE = 1 };

/* --- mutexes */

int pthread_mutexattr_init(void *attributes) {
  __paddock_set_kind(attributes, 0);
  return 0;
}

int pthread_mutexattr_destroy(void *attributes) {
  return 0;
}

int pthread_mutexattr_settype(void *attributes, int kind) {
  if (kind < 0 || kind > 3) return INVALID;
  __paddock_set_kind(attributes, kind);
  return 0;
}

int pthread_mutexattr_gettype(const void *attributes, int *kind) {
  *kind = __paddock_get_kind(attributes);
  return 0;
}

int pthread_mutexattr_setpshared(void *attributes, int shared) {
  return 0;
}

int pthread_mutex_init(void *mutex, const void *attributes) {
  __VERIFIER_atomic_begin();
  __paddock_set_kind(mutex, attributes ? __paddock_get_kind(attributes) : 0);
  __paddock_set_owner(mutex, 0);
  __paddock_set_depth(mutex, 0);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_mutex_destroy(void *mutex) {
  __paddock_set_owner(mutex, 0);
  return 0;
}

int pthread_mutex_lock(void *mutex) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  int kind = __paddock_get_kind(mutex), owner = __paddock_get_owner(mutex);
  if (kind == ERROR_CHECKING && owner == self) {
    result = WOULD_BLOCK_FOR_EVER;
  } else if (kind == RECURSIVE && owner == self) {
    __paddock_set_depth(mutex, __paddock_get_depth(mutex) + 1);
  } else {
    __paddock_wait_until(owner == 0);
    __paddock_set_owner(mutex, self);
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_mutex_trylock(void *mutex) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  int owner = __paddock_get_owner(mutex);
  if (owner == 0) {
    __paddock_set_owner(mutex, self);
  } else if (__paddock_get_kind(mutex) == RECURSIVE && owner == self) {
    __paddock_set_depth(mutex, __paddock_get_depth(mutex) + 1);
  } else {
    result = BUSY;
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_mutex_timedlock(void *mutex, const void *until) {
  int result = pthread_mutex_trylock(mutex);
  return result == BUSY ? TIMED_OUT : result;
}

int pthread_mutex_unlock(void *mutex) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  int kind = __paddock_get_kind(mutex);
  if ((kind == RECURSIVE || kind == ERROR_CHECKING) && __paddock_get_owner(mutex) != self) {
    result = NOT_PERMITTED;
  } else if (kind == RECURSIVE && __paddock_get_depth(mutex) > 0) {
    __paddock_set_depth(mutex, __paddock_get_depth(mutex) - 1);
  } else {
    __paddock_set_owner(mutex, 0);
  }
  __VERIFIER_atomic_end();
  return result;
}

/* --- condition variables */

int pthread_condattr_init(void *attributes) {
  return 0;
}

int pthread_condattr_destroy(void *attributes) {
  return 0;
}

int pthread_cond_init(void *condition, const void *attributes) {
  __VERIFIER_atomic_begin();
  __paddock_set_waiting(condition, 0);
  __paddock_set_woken(condition, 0);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_cond_destroy(void *condition) {
  return 0;
}

int pthread_cond_wait(void *condition, void *mutex) {
  int self = __paddock_this_thread();
  __VERIFIER_atomic_begin();
  __paddock_set_owner(mutex, 0);
  __paddock_set_waiting(condition, __paddock_get_waiting(condition) + 1);
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __paddock_wait_until(__paddock_get_woken(condition) > 0 && __paddock_get_owner(mutex) == 0);
  __paddock_set_woken(condition, __paddock_get_woken(condition) - 1);
  __paddock_set_owner(mutex, self);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *until) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  __paddock_set_owner(mutex, 0);
  __paddock_set_waiting(condition, __paddock_get_waiting(condition) + 1);
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __paddock_wait_until(__paddock_get_owner(mutex) == 0);
  if (__paddock_get_woken(condition) > 0) {
    __paddock_set_woken(condition, __paddock_get_woken(condition) - 1);
  } else {
    __paddock_set_waiting(condition, __paddock_get_waiting(condition) - 1);
    result = TIMED_OUT;
  }
  __paddock_set_owner(mutex, self);
  __VERIFIER_atomic_end();
  return result;
}

int pthread_cond_signal(void *condition) {
  __VERIFIER_atomic_begin();
  if (__paddock_get_waiting(condition) > 0) {
    __paddock_set_waiting(condition, __paddock_get_waiting(condition) - 1);
    __paddock_set_woken(condition, __paddock_get_woken(condition) + 1);
  }
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_cond_broadcast(void *condition) {
  __VERIFIER_atomic_begin();
  __paddock_set_woken(condition, __paddock_get_woken(condition) + __paddock_get_waiting(condition));
  __paddock_set_waiting(condition, 0);
  __VERIFIER_atomic_end();
  return 0;
}

/* --- read-write locks: an owner writes */

int pthread_rwlock_init(void *lock, const void *attributes) {
  __VERIFIER_atomic_begin();
  __paddock_set_owner(lock, 0);
  __paddock_set_readers(lock, 0);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(void *lock) {
  return 0;
}

int pthread_rwlock_rdlock(void *lock) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) == self) {
    result = WOULD_BLOCK_FOR_EVER;
  } else {
    __paddock_wait_until(__paddock_get_owner(lock) == 0);
    __paddock_set_readers(lock, __paddock_get_readers(lock) + 1);
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_rwlock_wrlock(void *lock) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) == self) {
    result = WOULD_BLOCK_FOR_EVER;
  } else {
    __paddock_wait_until(__paddock_get_owner(lock) == 0 && __paddock_get_readers(lock) == 0);
    __paddock_set_owner(lock, self);
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_rwlock_tryrdlock(void *lock) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) != 0) {
    result = BUSY;
  } else {
    __paddock_set_readers(lock, __paddock_get_readers(lock) + 1);
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_rwlock_trywrlock(void *lock) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) != 0 || __paddock_get_readers(lock) != 0) {
    result = BUSY;
  } else {
    __paddock_set_owner(lock, self);
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_rwlock_unlock(void *lock) {
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) != 0) {
    __paddock_set_owner(lock, 0);
  } else {
    __paddock_set_readers(lock, __paddock_get_readers(lock) - 1);
  }
  __VERIFIER_atomic_end();
  return 0;
}

/* --- spin locks */

int pthread_spin_init(void *lock, int shared) {
  __paddock_set_owner(lock, 0);
  return 0;
}

int pthread_spin_destroy(void *lock) {
  return 0;
}

int pthread_spin_lock(void *lock) {
  int self = __paddock_this_thread();
  __VERIFIER_atomic_begin();
  __paddock_wait_until(__paddock_get_owner(lock) == 0);
  __paddock_set_owner(lock, self);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_spin_trylock(void *lock) {
  int self = __paddock_this_thread(), result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_owner(lock) == 0) {
    __paddock_set_owner(lock, self);
  } else {
    result = BUSY;
  }
  __VERIFIER_atomic_end();
  return result;
}

int pthread_spin_unlock(void *lock) {
  __paddock_set_owner(lock, 0);
  return 0;
}

/* --- semaphores */

int sem_init(void *semaphore, int shared, unsigned value) {
  if (value > 2147483647u) {
    __paddock_set_errno(INVALID);
    return -1;
  }
  __paddock_set_value(semaphore, (int)value);
  return 0;
}

int sem_destroy(void *semaphore) {
  return 0;
}

int sem_wait(void *semaphore) {
  __VERIFIER_atomic_begin();
  __paddock_wait_until(__paddock_get_value(semaphore) > 0);
  __paddock_set_value(semaphore, __paddock_get_value(semaphore) - 1);
  __VERIFIER_atomic_end();
  return 0;
}

int sem_trywait(void *semaphore) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_value(semaphore) > 0) {
    __paddock_set_value(semaphore, __paddock_get_value(semaphore) - 1);
  } else {
    result = -1;
  }
  __VERIFIER_atomic_end();
  if (result) __paddock_set_errno(AGAIN);
  return result;
}

int sem_timedwait(void *semaphore, const void *until) {
  int result = sem_trywait(semaphore);
  if (result) __paddock_set_errno(TIMED_OUT);
  return result;
}

int sem_post(void *semaphore) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (__paddock_get_value(semaphore) == 2147483647) {
    result = -1;
  } else {
    __paddock_set_value(semaphore, __paddock_get_value(semaphore) + 1);
  }
  __VERIFIER_atomic_end();
  if (result) __paddock_set_errno(OVERFLOWN);
  return result;
}

int sem_getvalue(void *semaphore, int *value) {
  int now = __paddock_get_value(semaphore);
  *value = now;
  return 0;
}

/* --- barriers */

int pthread_barrier_init(void *barrier, const void *attributes, unsigned count) {
  if (count == 0 || count > 2147483647u) return INVALID;
  __VERIFIER_atomic_begin();
  __paddock_set_needed(barrier, (int)count);
  __paddock_set_arrived(barrier, 0);
  __VERIFIER_atomic_end();
  return 0;
}

int pthread_barrier_destroy(void *barrier) {
  return 0;
}

int pthread_barrier_wait(void *barrier) {
  __VERIFIER_atomic_begin();
  int generation = __paddock_get_generation(barrier), arrived = __paddock_get_arrived(barrier) + 1;
  int is_last = arrived == __paddock_get_needed(barrier);
  if (is_last) {
    __paddock_set_arrived(barrier, 0);
    __paddock_set_generation(barrier, generation + 1);
  } else {
    __paddock_set_arrived(barrier, arrived);
  }
  __VERIFIER_atomic_end();
  if (is_last) return -1;
  __VERIFIER_atomic_begin();
  __paddock_wait_until(__paddock_get_generation(barrier) != generation);
  __VERIFIER_atomic_end();
  return 0;
}

/* --- once */

int pthread_once(void *control, Routine *routine) {
  __VERIFIER_atomic_begin();
  int is_first = __paddock_get_once(control) == 0;
  if (is_first) {
    __paddock_set_once(control, 1);
  } else {
    __paddock_wait_until(__paddock_get_once(control) == 2);
  }
  __VERIFIER_atomic_end();
  if (is_first) {
    routine();
    __paddock_set_once(control, 2);
  }
  return 0;
}

/* --- C11 */

void call_once(void *control, Routine *routine) {
  pthread_once(control, routine);
}

int mtx_init(void *mutex, int kind) {
  pthread_mutex_init(mutex, 0);
  __paddock_set_kind(mutex, kind & MTX_RECURSIVE ? RECURSIVE : 0);
  return 0;
}

void mtx_destroy(void *mutex) {
  pthread_mutex_destroy(mutex);
}

int mtx_lock(void *mutex) {
  return pthread_mutex_lock(mutex) ? THRD_ERROR : 0;
}

int mtx_trylock(void *mutex) {
  return pthread_mutex_trylock(mutex) ? THRD_BUSY : 0;
}

int mtx_timedlock(void *mutex, const void *until) {
  return pthread_mutex_trylock(mutex) ? THRD_TIMED_OUT : 0;
}

int mtx_unlock(void *mutex) {
  return pthread_mutex_unlock(mutex) ? THRD_ERROR : 0;
}

int cnd_init(void *condition) {
  return pthread_cond_init(condition, 0);
}

void cnd_destroy(void *condition) {
  pthread_cond_destroy(condition);
}

int cnd_wait(void *condition, void *mutex) {
  return pthread_cond_wait(condition, mutex);
}

int cnd_timedwait(void *condition, void *mutex, const void *until) {
  return pthread_cond_timedwait(condition, mutex, until) ? THRD_TIMED_OUT : 0;
}

int cnd_signal(void *condition) {
  return pthread_cond_signal(condition);
}

int cnd_broadcast(void *condition) {
  return pthread_cond_broadcast(condition);
}
