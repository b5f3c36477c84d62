/* Text by a format, and values from text. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *s) {
  unsigned h = 0;
  while (*s) h = (h * 31 + (unsigned char)*s++) % 1000003;
  return h;
}

#define PRINTED(...)                             \
  char b[80];                                    \
  int n = snprintf(b, sizeof b, __VA_ARGS__);    \
  return (int)hash(b) * 100 + n

CASE(plain, 60728513) { PRINTED("hello %% world"); }
CASE(integers, 1278729) { PRINTED("%d %i %u %x %X %o", -42, 7, 3000000000u, 0xbeef, 0xBEEF, 8); }
CASE(zero, 85115712) { PRINTED("[%d|%x|%o|%#x|%#o|%.0d]", 0, 0, 0, 0, 0, 0); }
CASE(limits, 19370247) { PRINTED("%d %ld %lld %hhd %hd %hu", -2147483647 - 1, -9223372036854775807L - 1, 5LL, 300, 70000, 70000); }
CASE(sizes, 89370946) { PRINTED("%zu %td %jd %lu", (size_t)-1, (ptrdiff_t)-5, (long)9, 18446744073709551615ul); }
CASE(widths, 68698741) { PRINTED("[%5d|%-5d|%05d|%+d|% d|%5s|%-5s|%c]", 42, 42, -42, 42, 42, "ab", "cd", 'x'); }
CASE(precisions, 99690955) { PRINTED("[%.3d|%8.3d|%-8.3d|%08.3d|%.2s|%#x|%#o|%.10x]", 5, -5, 5, 5, "hello", 255, 8, 255); }
CASE(stars, 96222619) { PRINTED("[%*d|%-*d|%.*s|%*s]", 4, 1, 4, 2, 2, "abc", -4, "x"); }
CASE(cut_off, 9635530) {
  char b[6] = "zzzzz";
  int n = snprintf(b, 4, "abcdefgh");
  return (int)hash(b) * 100 + n + b[4];
}
CASE(no_room, 5) { return snprintf(0, 0, "%d", 12345); }
CASE(unlimited, 10477503) {
  char b[16];
  int n = sprintf(b, "%s=%d", "k", 9);
  return (int)hash(b) * 100 + n;
}
static int through(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsprintf(to, format, list);
  va_end(list);
  return n;
}
CASE(lists, 9635403) {
  char b[16];
  int n = through(b, "%c%s", 'a', "bc");
  return (int)hash(b) * 100 + n;
}
CASE(count_so_far, 3) {
  char b[16];
  int n = 0;
  snprintf(b, sizeof b, "abc%nde", &n);
  return n;
}
CASE(allocated, 176002) {
  char *p;
  int n = asprintf(&p, "%d", 77);
  int h = (int)hash(p) * 100 + n;
  free(p);
  return h;
}

CASE(read_integers, 3011555) {
  int a = 0, b = 0;
  unsigned c = 0;
  int n = sscanf(" 12 -7 ff", "%d%d%x", &a, &b, &c);
  return n * 1000000 + a * 1000 + b * 100 + (int)c;
}
CASE(read_widths, 212345) {
  int a = 0, b = 0;
  int n = sscanf("12345", "%2d%d", &a, &b);
  return n * 100000 + a * 1000 + b;
}
CASE(read_words, 211) {
  char a[8] = "", b[8] = "";
  int n = sscanf("key = value", "%7[a-z] = %7s", a, b);
  return n * 100 + (strcmp(a, "key") == 0) * 10 + (strcmp(b, "value") == 0);
}
CASE(read_sets, 132) {
  char a[8] = "";
  int n = sscanf("abc]def", "%[^]]", a), rest = 0;
  sscanf("--x", "%*[-]%n", &rest);
  return n * 100 + (int)strlen(a) * 10 + rest;
}
CASE(read_characters, 2227) {
  char a[3] = "", c = 0;
  int n = sscanf("ab c", "%2c%c", a, &c);
  return n * 1000 + a[0] + a[1] + c;
}
CASE(read_nothing, -995) {
  int a = 5;
  return sscanf("", "%d", &a) * 1000 + sscanf("x", "%d", &a) * 100 + a;
}
CASE(read_stops, 11) {
  int a = 0, b = 0;
  return sscanf("1,x", "%d,%d", &a, &b) * 10 + a;
}
CASE(read_skips, 12) {
  int a = 0;
  return sscanf("1 2", "%*d %d", &a) * 10 + a;
}
CASE(read_sizes, 41234) {
  short a = 0;
  long b = 0;
  signed char c = 0;
  unsigned long long d = 0;
  int n = sscanf("1 2 3 4", "%hd %ld %hhd %llu", &a, &b, &c, &d);
  return n * 10000 + a * 1000 + (int)b * 100 + c * 10 + (int)d;
}
CASE(read_floats, 211) {
  float a = 0;
  double b = 0;
  int n = sscanf("1.5 -2e2", "%f %lf", &a, &b);
  return n * 100 + (a == 1.5f) * 10 + (b == -200);
}
CASE(pointers, 15019221) { PRINTED("%p|%8p|%p", (void *)0, (void *)0, (void *)0xbeef); }
SLOW_CASE(read_power_without_digits, 22) {
  float f = 0;
  char c = 0;
  return sscanf("100ergs", "%f%c", &f, &c) * 10 + sscanf("1.5x", "%f%c", &f, &c);
}
CASE(read_few_characters, 14) {
  char s[6] = "", x = 0;
  return sscanf("abc", "%5c", s) * 10 + sscanf("", "%c", &x) + 5;
}
SLOW_CASE(read_wide_floats, 3111) {
  long double l = 0;
  double d = 0;
  float f = 0;
  int n = sscanf("0.1 0.1 0.1", "%Lf %lf %f", &l, &d, &f);
  return n * 1000 + (l == 0.1L) * 100 + (d == 0.1) * 10 + (f == 0.1f);
}
CASE(read_prefix, 10) {
  int a = 7;
  return sscanf("0xg", "%i", &a) * 10 + a;
}
