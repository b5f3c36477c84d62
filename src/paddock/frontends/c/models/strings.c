/* What functions on strings do, for programs that use them without defining them. */

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t size);

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
  return (unsigned char)a[n] - (unsigned char)b[n];
}

int strncmp(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] != 0 && a[n] == b[n]) n++;
  return n == most ? 0 : (unsigned char)a[n] - (unsigned char)b[n];
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
  return n == size ? 0 : x[n] - y[n];
}

void *memchr(const void *s, int c, size_t size) {
  const unsigned char *x = s;
  size_t n = 0;
  while (n < size && x[n] != (unsigned char)c) n++;
  return n == size ? 0 : (void *)(x + n);
}

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= ' ' && c <= '~'; }
int toupper(int c) { return islower(c) ? c - 'a' + 'A' : c; }
int tolower(int c) { return isupper(c) ? c - 'A' + 'a' : c; }

long atol(const char *s) {
  long value = 0;
  int sign = 1;
  while (isspace(*s)) s++;
  if (*s == '-' || *s == '+') sign = *s++ == '-' ? -1 : 1;
  while (isdigit(*s)) value = value * 10 + (*s++ - '0');
  return sign * value;
}

int atoi(const char *s) { return (int)atol(s); }

/* Builtins: strlen strcpy stpcpy strncpy strcat strncat strcmp strncmp strchr strrchr strstr strdup memcmp
   memchr isdigit isupper islower isalpha isalnum isspace isxdigit isprint toupper tolower */
