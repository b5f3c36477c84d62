/* What functions on strings do, for programs that use them without defining them. */

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int c, size_t size);
int tolower(int c);
void __paddock_any_bytes(void *start, size_t size);
int __paddock_nondet_int(void);
void __paddock_assume(_Bool condition);

/* How two characters compare: C says no more than whether it is below, above or equal to zero. */
static int order_of(int a, int b) {
  if (a == b) return 0;
  int order = __paddock_nondet_int();
  __paddock_assume(a < b ? order < 0 : order > 0);
  return order;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n] != 0) n++;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n] != 0) n++;
  return n;
}

char *strcpy(char *to, const char *from) {
  size_t n = 0;
  while (from[n] != 0) {
    to[n] = from[n];
    n++;
  }
  to[n] = 0;
  return to;
}

char *stpcpy(char *to, const char *from) {
  strcpy(to, from);
  return to + strlen(to);
}

char *strncpy(char *to, const char *from, size_t most) {
  size_t n = 0;
  while (n < most && from[n] != 0) {
    to[n] = from[n];
    n++;
  }
  while (n < most) to[n++] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t most) {
  size_t end = strlen(to), n = 0;
  while (n < most && from[n] != 0) {
    to[end + n] = from[n];
    n++;
  }
  to[end + n] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] != 0 && a[n] == b[n]) n++;
  return order_of((unsigned char)a[n], (unsigned char)b[n]);
}

int strncmp(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] != 0 && a[n] == b[n]) n++;
  return n == most ? 0 : order_of((unsigned char)a[n], (unsigned char)b[n]);
}

char *strchr(const char *s, int c) {
  size_t n = 0;
  while (s[n] != (char)c) {
    if (s[n] == 0) return 0;
    n++;
  }
  return (char *)(s + n);
}

char *strrchr(const char *s, int c) {
  size_t n = strlen(s);
  while (s[n] != (char)c) {
    if (n == 0) return 0;
    n--;
  }
  return (char *)(s + n);
}

char *strstr(const char *s, const char *part) {
  size_t length = strlen(part), n = 0;
  while (strncmp(s + n, part, length) != 0) {
    if (s[n] == 0) return 0;
    n++;
  }
  return (char *)(s + n);
}

char *strdup(const char *s) {
  char *to = malloc(strlen(s) + 1);
  return to ? strcpy(to, s) : 0;
}

char *strndup(const char *s, size_t most) {
  size_t length = strnlen(s, most);
  char *to = malloc(length + 1);
  if (to) strncpy(to, s, length)[length] = 0;
  return to;
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  size_t n = 0;
  while (n < size && x[n] == y[n]) n++;
  return n == size ? 0 : order_of(x[n], y[n]);
}

void *memchr(const void *s, int c, size_t size) {
  const unsigned char *x = s;
  size_t n = 0;
  while (n < size && x[n] != (unsigned char)c) n++;
  return n == size ? 0 : (void *)(x + n);
}

void *memrchr(const void *s, int c, size_t size) {
  const unsigned char *x = s;
  while (size > 0)
    if (x[--size] == (unsigned char)c) return (void *)(x + size);
  return 0;
}

void *memmem(const void *s, size_t size, const void *part, size_t length) {
  const unsigned char *x = s;
  for (size_t n = 0; length <= size && n <= size - length; n++)
    if (memcmp(x + n, part, length) == 0) return (void *)(x + n);
  return 0;
}

void *mempcpy(void *to, const void *from, size_t size) {
  return (char *)memcpy(to, from, size) + size;
}

void *memccpy(void *to, const void *from, int c, size_t size) {
  unsigned char *x = to;
  const unsigned char *y = from;
  for (size_t n = 0; n < size; n++) {
    x[n] = y[n];
    if (y[n] == (unsigned char)c) return x + n + 1;
  }
  return 0;
}

size_t strspn(const char *s, const char *some) {
  size_t n = 0;
  while (s[n] != 0 && strchr(some, s[n])) n++;
  return n;
}

size_t strcspn(const char *s, const char *none) {
  size_t n = 0;
  while (s[n] != 0 && !strchr(none, s[n])) n++;
  return n;
}

char *strpbrk(const char *s, const char *some) {
  size_t n = strcspn(s, some);
  return s[n] ? (char *)(s + n) : 0;
}

char *strchrnul(const char *s, int c) {
  size_t n = 0;
  while (s[n] != 0 && s[n] != (char)c) n++;
  return (char *)(s + n);
}

char *strsep(char **rest, const char *between) {
  char *start = *rest;
  if (!start) return 0;
  size_t n = strcspn(start, between);
  *rest = start[n] ? start + n + 1 : 0;
  start[n] = 0;
  return start;
}

char *strtok_r(char *s, const char *between, char **rest) {
  char *start = s ? s : *rest;
  start += strspn(start, between);
  if (*start == 0) {
    *rest = start;
    return 0;
  }
  size_t n = strcspn(start, between);
  *rest = start[n] ? start + n + 1 : start + n;
  start[n] = 0;
  return start;
}

static char *rest_of_tokens;
char *strtok(char *s, const char *between) {
  return strtok_r(s, between, &rest_of_tokens);
}

int strcasecmp(const char *a, const char *b) {
  size_t n = 0;
  while (a[n] != 0 && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) n++;
  return order_of(tolower((unsigned char)a[n]), tolower((unsigned char)b[n]));
}

int strncasecmp(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] != 0 && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) n++;
  return n == most ? 0 : order_of(tolower((unsigned char)a[n]), tolower((unsigned char)b[n]));
}

char *strcasestr(const char *s, const char *part) {
  size_t length = strlen(part), n = 0;
  while (strncasecmp(s + n, part, length) != 0) {
    if (s[n] == 0) return 0;
    n++;
  }
  return (char *)(s + n);
}

/* The locale is that of C. */
int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *to, const char *from, size_t most) {
  size_t length = strlen(from);
  if (most > length) strcpy(to, from);
  return length;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from), kept = length < size ? length : size - 1;
  if (size == 0) return length;
  memcpy(to, from, kept);
  to[kept] = 0;
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t end = strnlen(to, size);
  return end + (end == size ? strlen(from) : strlcpy(to + end, from, size - end));
}

/* A text that depends on the library, in memory that belongs to it. */
char *strerror(int number) {
  static char text[64];
  __paddock_any_bytes(text, sizeof text);
  text[sizeof text - 1] = 0;
  return text;
}

void bzero(void *s, size_t size) { memset(s, 0, size); }
void explicit_bzero(void *s, size_t size) { memset(s, 0, size); }
void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

/* Builtins: strlen strnlen strcpy stpcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr strdup strndup memcmp
   memchr mempcpy strspn strcspn strpbrk strcasecmp strncasecmp bzero bcmp index rindex */
