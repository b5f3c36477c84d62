/* Atomic objects: what is between `__VERIFIER_atomic_begin` and `_end` is one step of a thread. */
#ifndef _PADDOCK_STDATOMIC_H
#define _PADDOCK_STDATOMIC_H

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

typedef enum {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
} memory_order;

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(__INTPTR_TYPE__) atomic_intptr_t;
typedef _Atomic(__UINTPTR_TYPE__) atomic_uintptr_t;
typedef _Atomic(__SIZE_TYPE__) atomic_size_t;
typedef _Atomic(__PTRDIFF_TYPE__) atomic_ptrdiff_t;
typedef struct {
  atomic_bool set;
} atomic_flag;

#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT {0}
#define kill_dependency(value) (value)
#define atomic_thread_fence(order) ((void)(order))
#define atomic_signal_fence(order) ((void)(order))
#define atomic_is_lock_free(object) ((void)(object), 1)

#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_store(object, value) ((void)(*(object) = (value)))
#define atomic_store_explicit(object, value, order) atomic_store(object, value)
#define atomic_load(object) (*(object))
#define atomic_load_explicit(object, order) atomic_load(object)

#define _PADDOCK_UPDATED(object, operand, new)    \
  __extension__({                                 \
    __auto_type _object = (object);               \
    operand;                                      \
    __VERIFIER_atomic_begin();                    \
    __typeof__(*_object + 0) _old = *_object;     \
    *_object = new;                               \
    __VERIFIER_atomic_end();                      \
    _old;                                         \
  })
#define _PADDOCK_SAME(value) __typeof__(*_object + 0) _value = (value)
#define _PADDOCK_ANY(value) __auto_type _value = (value)
#define atomic_exchange(object, value) _PADDOCK_UPDATED(object, _PADDOCK_SAME(value), _value)
#define atomic_fetch_add(object, value) _PADDOCK_UPDATED(object, _PADDOCK_ANY(value), _old + _value)
#define atomic_fetch_sub(object, value) _PADDOCK_UPDATED(object, _PADDOCK_ANY(value), _old - _value)
#define atomic_fetch_or(object, value) _PADDOCK_UPDATED(object, _PADDOCK_ANY(value), _old | _value)
#define atomic_fetch_xor(object, value) _PADDOCK_UPDATED(object, _PADDOCK_ANY(value), _old ^ _value)
#define atomic_fetch_and(object, value) _PADDOCK_UPDATED(object, _PADDOCK_ANY(value), _old & _value)
#define atomic_exchange_explicit(object, value, order) atomic_exchange(object, value)
#define atomic_fetch_add_explicit(object, value, order) atomic_fetch_add(object, value)
#define atomic_fetch_sub_explicit(object, value, order) atomic_fetch_sub(object, value)
#define atomic_fetch_or_explicit(object, value, order) atomic_fetch_or(object, value)
#define atomic_fetch_xor_explicit(object, value, order) atomic_fetch_xor(object, value)
#define atomic_fetch_and_explicit(object, value, order) atomic_fetch_and(object, value)

#define atomic_compare_exchange_strong(object, expected, desired)             \
  __extension__({                                                             \
    __auto_type _object = (object);                                           \
    __auto_type _expected = (expected);                                       \
    __typeof__(*_object + 0) _desired = (desired);                            \
    __VERIFIER_atomic_begin();                                                \
    _Bool _same = *_object == *_expected;                                     \
    if (_same)                                                                \
      *_object = _desired;                                                    \
    else                                                                      \
      *_expected = *_object;                                                  \
    __VERIFIER_atomic_end();                                                  \
    _same;                                                                    \
  })
#define atomic_compare_exchange_weak(object, expected, desired) atomic_compare_exchange_strong(object, expected, desired)
#define atomic_compare_exchange_strong_explicit(object, expected, desired, success, failure) \
  atomic_compare_exchange_strong(object, expected, desired)
#define atomic_compare_exchange_weak_explicit(object, expected, desired, success, failure) \
  atomic_compare_exchange_strong(object, expected, desired)

#define atomic_flag_test_and_set(flag) atomic_exchange(&(flag)->set, 1)
#define atomic_flag_test_and_set_explicit(flag, order) atomic_flag_test_and_set(flag)
#define atomic_flag_clear(flag) atomic_store(&(flag)->set, 0)
#define atomic_flag_clear_explicit(flag, order) atomic_flag_clear(flag)

#endif
