/* Functions on strings and characters of the library. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return n < 0 ? -1 : n > 0; }

CASE(spans, 430) { return strspn("aabbc", "ba") * 100 + strcspn("xyz;a", ";,") * 10 + strcspn("", "a"); }
CASE(span_of_nothing, 3) { return strspn("abc", "") * 10 + strcspn("abc", ""); }
CASE(first_of_some, 31) {
  const char *s = "key=value";
  return (strpbrk(s, "=:") - s) * 10 + (strpbrk(s, "#") == 0);
}
CASE(tokens, 695) {
  char s[] = ",,ab,c,,", *rest;
  int sum = 0, n = 1;
  for (char *t = strtok_r(s, ",", &rest); t; t = strtok_r(0, ",", &rest)) sum += n++ * (t[0] + 100 * (int)strlen(t));
  return sum;
}
CASE(tokens_of_the_library, 3899699) {
  char s[] = "a b  c";
  int sum = 0;
  for (char *t = strtok(s, " "); t; t = strtok(0, " ")) sum = sum * 200 + t[0];
  return sum;
}
CASE(separated, 212) {
  char text[] = "a::b", *rest = text;
  int sum = 0;
  for (char *t = strsep(&rest, ":"); t; t = strsep(&rest, ":")) sum = sum * 10 + (int)strlen(t) + 1;
  return sum;
}
CASE(no_case, -10) {
  return sign(strcasecmp("HeLLo", "hEllO")) * 100 + sign(strcasecmp("abC", "ABD")) * 10 + sign(strncasecmp("abX", "ABy", 2));
}
CASE(last_byte, 21) {
  const char s[6] = "abab\0b";
  return ((char *)memrchr(s, 'a', 6) - s) * 10 + (memrchr(s, 'x', 6) == 0);
}
CASE(part_of_memory, 21) {
  const char s[] = "ab\0cd";
  return ((char *)memmem(s, 6, "\0c", 2) - s) * 10 + (memmem(s, 3, "cd", 2) == 0);
}
CASE(copied_until, 3123) {
  char to[8] = "zzzzzzz";
  char *end = memccpy(to, "abcd", 'c', 4);
  return (end - to) * 1000 + to[3] + (memccpy(to, "ab", 'x', 2) == 0);
}
CASE(end_of_copy, 3) {
  char to[4];
  return (char *)mempcpy(to, "abcd", 3) - to;
}
CASE(character_or_end, 98) { return strchrnul("abc", 'b')[0] + strchrnul("abc", 'x')[0]; }
CASE(old_names, 993) {
  char a[4] = "abc", b[4];
  bcopy(a, b, 4);
  bzero(a, 2);
  return a[0] + a[1] + a[2] * 10 + (bcmp(b, "abc", 4) == 0) + (index(b, 'c') - b) + (rindex(b, 'a') - b);
}
CASE(collated, -49) {
  char to[8] = "";
  return sign(strcoll("a", "b")) * 100 + strxfrm(to, "hello", 8) * 10 + (strcmp(to, "hello") == 0);
}
CASE(duplicated, 31) {
  char *p = strndup("hello", 3);
  int n = strlen(p) * 10 + (strcmp(p, "hel") == 0);
  free(p);
  return n;
}
CASE(classes, 804465) {
  int sum = 0;
  for (int c = 0; c < 256; c++)
    sum = (sum * 3 + !!isalnum(c) + 2 * !!isalpha(c) + 4 * !!iscntrl(c) + 8 * !!isdigit(c) + 16 * !!isgraph(c) +
           32 * !!islower(c) + 64 * !!isprint(c) + 128 * !!ispunct(c) + 256 * !!isspace(c) + 512 * !!isupper(c) +
           1024 * !!isxdigit(c) + 2048 * !!isblank(c)) % 1000003;
  return sum;
}
CASE(cases, -659190) {
  int sum = 0;
  for (int c = -1; c < 256; c++) sum = (sum * 3 + toupper(c) + 2 * tolower(c)) % 1000003;
  return sum;
}
CASE(numbers_of_classes, 456116) {
  return (isdigit('5') + isalpha('a') * 3 + isupper('A') * 5 + islower('a') * 7 + isspace(' ') * 11 + isalnum('1') * 13 + ispunct('!') * 17 +
          iscntrl(1) * 19 + isgraph('x') * 23 + isprint(' ') * 29 + isxdigit('f') * 31 + isblank(' ') * 37) % 1000003;
}
CASE(padding_is_memory, 127) {
  struct padded { char c; int i; } x, y, z; unsigned char *p = (unsigned char *)&z;
  memset(&x, 0, sizeof x); memset(&y, 0, sizeof y); p[1] = 5;
  int r = memcmp(&x, &y, sizeof x) == 0;
  x.c = y.c = 3; x.i = y.i = 4; r += 2 * (memcmp(&x, &y, sizeof x) == 0);
  memset(&z, 0, sizeof z); r += 4 * (p[1] == 0); memset(&z, 7, sizeof z); r += 8 * (p[2] == 7);
  memcpy(&z, &x, sizeof z); r += 16 * (p[1] == 0) + 32 * (memcmp(&z, &x, sizeof z) == 0);
  p[3] = 1; memcpy(&y, &z, sizeof z); return r + 64 * (memcmp(&x, &y, sizeof x) != 0);
}

CASE(orders, 590) { return sign(strcmp("c", "a")) * 100 + sign(memcmp("ab", "ad", 2)) * 10 + sign(strncmp("abc", "abd", 2)) + 500; }
