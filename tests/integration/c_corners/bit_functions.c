// safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x) {
    unsigned top = 31u - __builtin_clz(x), low = __builtin_ctz(x);
    assert(x >> top == 1 && x << (31 - low) == 1u << 31);
    assert(__builtin_ffs((int)x) == (int)low + 1);
  }
  assert(__builtin_parity(x) == (__builtin_popcount(x) & 1));
  assert(__builtin_bswap32(__builtin_bswap32(x)) == x && __builtin_bswap16(0x1234) == 0x3412);
  assert(__builtin_clzl(1ul) == 8 * sizeof(long) - 1 && __builtin_clzll(1ull << 40) == 23 && __builtin_ctzll(1ull << 40) == 40);
  assert(__builtin_ffsll(0) == 0 && __builtin_popcountll(~0ull) == 64 && __builtin_parityl(7) == 1);
  assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30 && __builtin_clrsb(-2) == 30);
  assert(__builtin_clrsbll(1ll << 62) == 0);
  assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
  assert(__builtin_add_overflow_p(127, 1, (signed char)0) && !__builtin_add_overflow_p(127, 1, (unsigned char)0));
  assert(__builtin_mul_overflow_p(1 << 16, 1 << 16, 0) && !__builtin_sub_overflow_p(0u, 1u, 0));
  assert(__builtin_strlen("abc") == 3 && !__builtin_strcmp("a", "a") && !__builtin_memcmp("ab", "ac", 1));
  assert(__builtin_abs(-3) == 3 && __builtin_toupper('a') == 'A');
  int y = 1, *p = __builtin_assume_aligned(&y, 4);
  __builtin_prefetch(p, 0, 1);
  *p = 2;
  assert(y == 2 && __builtin_expect(y, 1) == 2);
  char a[10];
  assert(__builtin_object_size(a, 0) == 10 && __atomic_always_lock_free(4, 0));
}
