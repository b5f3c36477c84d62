// safe
#include <assert.h>
#include <limits.h>
struct pair { int first, second; };
static int calls, global;
static int next(void) { return ++calls; }
static int changes(void) { global = 100; return 1; }
static void sync(int *p) {
  assert(__sync_fetch_and_add(p, 5) == 0 && *p == 5 && __sync_add_and_fetch(p, 1) == 6);
  assert(__sync_fetch_and_sub(p, 2) == 6 && __sync_sub_and_fetch(p, 1) == 3);
  assert(__sync_fetch_and_or(p, 8) == 3 && __sync_or_and_fetch(p, 4) == 15);
  assert(__sync_fetch_and_and(p, 7) == 15 && __sync_and_and_fetch(p, 5) == 5);
  assert(__sync_fetch_and_xor(p, 1) == 5 && __sync_xor_and_fetch(p, 2) == 6);
  assert(__sync_fetch_and_nand(p, 2) == 6 && *p == ~2 && __sync_nand_and_fetch(p, 4) == ~4);
  *p = 1;
  assert(__sync_bool_compare_and_swap(p, 1, 2) && *p == 2 && !__sync_bool_compare_and_swap(p, 1, 3) && *p == 2);
  assert(__sync_val_compare_and_swap(p, 2, 4) == 2 && *p == 4 && __sync_val_compare_and_swap(p, 2, 5) == 4 && *p == 4);
  assert(__sync_lock_test_and_set(p, 7) == 4 && *p == 7);
  __sync_lock_release(p);
  __sync_synchronize();
  assert(*p == 0);
}
static void atomic(int *p) {
  int old = 9, new = 3, got = 0;
  __atomic_store_n(p, 2, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(p, __ATOMIC_RELAXED) == 2 && __atomic_exchange_n(p, 5, __ATOMIC_ACQ_REL) == 2 && *p == 5);
  __atomic_store(p, &new, 5);
  __atomic_load(p, &got, 5);
  assert(got == 3);
  __atomic_exchange(p, &old, &got, 5);
  assert(*p == 9 && got == 3 && old == 9);
  __atomic_exchange(p, p, p, 5);
  assert(*p == 9);
  old = 8;
  assert(!__atomic_compare_exchange_n(p, &old, 1, 0, 5, 5) && old == 9 && *p == 9);
  assert(__atomic_compare_exchange_n(p, &old, 1, 0, 5, 5) && old == 9 && *p == 1);
  old = 1;
  assert(__atomic_compare_exchange(p, &old, &new, 0, 5, 5) && *p == 3);
  assert(__atomic_fetch_add(p, 4, 5) == 3 && __atomic_add_fetch(p, 1, 5) == 8 && __atomic_fetch_sub(p, 1, 5) == 8);
  assert(__atomic_sub_fetch(p, 1, 5) == 6 && __atomic_fetch_or(p, 1, 5) == 6 && __atomic_or_fetch(p, 8, 5) == 15);
  assert(__atomic_fetch_and(p, 12, 5) == 15 && __atomic_and_fetch(p, 4, 5) == 4 && __atomic_fetch_xor(p, 5, 5) == 4);
  assert(__atomic_xor_fetch(p, 2, 5) == 3 && __atomic_fetch_nand(p, 1, 5) == 3 && __atomic_nand_fetch(p, 1, 5) == -1);
  __atomic_thread_fence(5);
  __atomic_signal_fence(5);
}
int main(void) {
  int x = 0, a[3] = {1, 2, 3}, *q = a;
  signed char small = 127;
  unsigned char byte = 0;
  _Bool flag = 0;
  sync(&x);
  atomic(&x);
  x = 0;
  assert(__sync_fetch_and_add(&x, next()) == 0 && x == 1 && calls == 1);
  assert(__atomic_fetch_add(&a[next()], 3, 5) == 3 && a[2] == 6 && calls == 2);
  assert(__sync_fetch_and_add(&global, changes()) == 100 && global == 101);
  x = INT_MAX;
  assert(__sync_add_and_fetch(&x, 1) == INT_MIN && __sync_fetch_and_add(&small, 1) == 127 && small == -128);
  assert(__atomic_fetch_add(&q, sizeof(int), 5) == a && q == a + 1);
  assert(__sync_bool_compare_and_swap(&q, a + 1, a + 2) && *q == 6 && __sync_lock_test_and_set(&q, a) == a + 2);
  assert(!__atomic_test_and_set(&flag, 5) && flag && __atomic_test_and_set(&flag, 5));
  __atomic_clear(&flag, 5);
  assert(!flag && !__atomic_test_and_set(&byte, 5) && byte == 1);
  struct pair s = {1, 2}, u = {3, 4}, t;
  __atomic_load(&s, &t, 5);
  assert(t.second == 2);
  __atomic_exchange(&s, &u, &t, 5);
  assert(s.first == 3 && t.first == 1);
  assert(__atomic_add_fetch(&s.second, 1, 5) == 5 && s.first == 3);
}
