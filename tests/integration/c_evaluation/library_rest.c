/* Functions of the library that the other files leave out. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }
static int printed(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}
static int scanned(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsscanf(text, format, list);
  va_end(list);
  return n;
}

SLOW_CASE(bytes_found, 21) {
  const char s[] = "a\0bab";
  return ((char *)memchr(s, 'b', 6) - s) * 10 + (memchr(s, 'b', 2) == 0);
}
SLOW_CASE(lengths, 42) { return strnlen("abcdef", 4) * 10 + strnlen("ab", 4); }
SLOW_CASE(copies, 3110) {
  char a[8] = "xxxxxxx", b[8] = "yyyyyyy", c[8] = "zzzzzzz";
  char *end = stpcpy(a, "abc");
  strncpy(b, "de", 4);
  strcpy(c, "fgh");
  return (end - a) * 1000 + (a[3] == 0 && a[4] == 'x') * 100 + (b[2] == 0 && b[3] == 0 && b[4] == 'y') * 10 + strcmp(c, "fgh");
}
SLOW_CASE(concatenations, 1) {
  char a[12] = "ab", b[12] = "ab";
  strcat(a, "cd");
  strncat(b, "cdef", 3);
  return strcmp(a, "abcd") == 0 && strcmp(b, "abcde") == 0 && b[5] == 0;
}
SLOW_CASE(characters_found, 2461) {
  const char *s = "abcabc";
  return (strchr(s, 'c') - s) * 1000 + (strrchr(s, 'b') - s) * 100 + (strchr(s, 0) - s) * 10 + (strrchr(s, 'x') == 0);
}
SLOW_CASE(texts_found, 331) {
  const char *s = "ababAC";
  return (strstr(s, "aba") - s) * 1000 + (strstr(s, "bA") - s) * 100 + (strcasestr(s, "BAc") - s) * 10 + (strstr(s, "ac") == 0);
}
SLOW_CASE(duplicates, 1) {
  char *a = strdup("abc");
  a[1] = 'x';
  int r = strcmp(a, "axc") == 0;
  free(a);
  return r;
}
SLOW_CASE(erased, 1) {
  char a[4] = "abc";
  explicit_bzero(a, 2);
  return a[0] * 100 + a[1] * 10 + (a[2] == 'c');
}
SLOW_CASE(seven_bits, 1) { return isascii(127) != 0 && isascii(128) == 0 && toascii(0x141) == 0x41; }
SLOW_CASE(allocated, 447) {
  int *a = calloc(3, sizeof *a), *b = reallocarray(0, 2, sizeof *b), *c = alloca(8);
  b[1] = 4;
  c[1] = 7;
  int r = a[0] + a[2] + b[1] * 10 + c[1];
  b = reallocarray(b, 4, sizeof *b);
  r += b[1] * 100;
  free(a);
  free(b);
  return r;
}
CASE(absolute, 3456) { return abs(-3) * 1000 + labs(-4L) * 100 + llabs(-5LL) * 10 + (int)imaxabs(6); }
CASE(divided, -32) { imaxdiv_t d = imaxdiv(-17, 5); return (int)(d.quot * 10 + d.rem); }
SLOW_CASE(found_linearly, 21) {
  int a[] = { 5, 7, 9 }, key = 9, other = 6;
  size_t n = 3;
  return ((int *)lfind(&key, a, &n, sizeof *a, same) - a) * 10 + (lfind(&other, a, &n, sizeof *a, same) == 0);
}
SLOW_CASE(printed_by_lists, 91) {
  char a[8];
  int n = printed(a, sizeof a, "%d-%s", 42, "abcdef");
  return n * 10 + (strcmp(a, "42-abcd") == 0);
}
SLOW_CASE(scanned_by_lists, 21231) {
  int a = 0, b = 0;
  int n = scanned("12:0x1f", "%d:%i", &a, &b);
  return n * 10000 + a * 100 + b;
}
SLOW_CASE(nearest_integers, -177177) {
  double x = 2.5, y = -2.5;
  return (int)(ceil(x) * 1 + floor(x) * 10 + trunc(y) * 100 + round(x) * 1000 + rint(x) * 10000 + nearbyint(y) * 100000);
}
SLOW_CASE(nearest_as_integers, 2427) {
  return (int)(lround(-2.5) + 10 * llround(2.5) + 100 * lrint(3.5) + 1000 * llrintf(2.5f) + 10000 * lroundf(0.4f));
}
CASE(exact_operations, 7235) {
  return (int)(sqrt(16.0) + 10 * fmod(7.5, 2.0) * 2 + 1000 * fma(2.0, 3.0, 1.0) + 100 * fabs(-2.0)) + (remainder(7.0, 2.0) == -1.0);
}
CASE(extremes, 1111) {
  return (fmin(1.0, NAN) == 1.0) + 10 * (fmax(-1.0f, 2.0f) == 2.0f) + 100 * (copysign(3.0, -0.0) == -3.0) + 1000 * (scalbln(1.5, 3) == 12.0);
}
SLOW_CASE(rounding_mode, 111) {
  fenv_t all;
  feholdexcept(&all);
  int was = fegetround() == FE_TONEAREST;
  fesetround(FE_UPWARD);
  int up = fegetround() == FE_UPWARD && rint(2.1) == 3.0;
  feupdateenv(&all);
  return was * 100 + up * 10 + (fegetround() == FE_TONEAREST);
}
