/* Values by a format: from a text (`sscanf`), or from a file, where they are arbitrary. */

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;
int isspace(int c);
long long strtoll(const char *s, char **end, int base);
unsigned long long strtoull(const char *s, char **end, int base);
float strtof(const char *s, char **end);
double strtod(const char *s, char **end);
long double strtold(const char *s, char **end);
void __paddock_unsupported(const char *what);
_Bool __paddock_nondet_bool(void);
char __paddock_nondet_char(void);
double __paddock_nondet_double(void);
size_t __paddock_nondet_size_t(void);
long long __paddock_nondet_long_long(void);
void __paddock_assume(_Bool condition);
void __paddock_any_bytes(void *start, size_t size);

enum { MOST_DIGITS = 64 };

/* What stands between `%` and the letter of a conversion; `set` is what `%[` lists. */
typedef struct {
  _Bool dropped, has_width, negated;
  size_t width;
  enum { PLAIN, CHAR, SHORT, LONG, LONG_LONG } length;
  char letter;
  const char *set, *set_end;
} Conversion;

static const char *read_conversion(const char *format, Conversion *conversion) {
  if (*format == '*') {
    conversion->dropped = 1;
    format++;
  }
  for (; *format >= '0' && *format <= '9'; format++) {
    conversion->has_width = 1;
    conversion->width = conversion->width * 10 + (*format - '0');
  }
  for (;; format++) switch (*format) {
      case 'h': conversion->length = conversion->length == SHORT ? CHAR : SHORT; break;
      case 'l': conversion->length = conversion->length == LONG ? LONG_LONG : LONG; break;
      case 'q': case 'j': case 'L': conversion->length = LONG_LONG; break;
      case 'z': case 't': conversion->length = LONG; break;
      default: goto letter;
    }
letter:
  conversion->letter = *format;
  _Bool wide = conversion->length == LONG && (*format == 's' || *format == 'c' || *format == '[');
  if (wide || *format == 'S' || *format == 'C' || *format == 'm' || *format == '$')
    __paddock_unsupported("the model of scanf knows this conversion");
  if (*format != '[') return format;
  if (*++format == '^') {
    conversion->negated = 1;
    format++;
  }
  conversion->set = format;
  if (*format == ']') format++;
  while (*format != 0 && *format != ']') format++;
  conversion->set_end = format;
  return format;
}

static _Bool is_in_set(Conversion *conversion, char c) {
  for (const char *s = conversion->set; s < conversion->set_end; s++) {
    if (s + 2 < conversion->set_end && s[1] == '-') {
      if ((unsigned char)c >= (unsigned char)s[0] && (unsigned char)c <= (unsigned char)s[2]) return !conversion->negated;
      s += 2;
    } else if (*s == c) {
      return !conversion->negated;
    }
  }
  return conversion->negated;
}

/* Whether a character belongs to what `%s` or `%[` takes. */
static _Bool is_taken(Conversion *conversion, char c) {
  return c != 0 && (conversion->letter == 's' ? !isspace((unsigned char)c) : is_in_set(conversion, c));
}

static void store_integer(va_list *list, Conversion *conversion, long long value) {
  switch (conversion->length) {
    case CHAR: *__builtin_va_arg(*list, signed char *) = value; break;
    case SHORT: *__builtin_va_arg(*list, short *) = value; break;
    case LONG: *__builtin_va_arg(*list, long *) = value; break;
    case LONG_LONG: *__builtin_va_arg(*list, long long *) = value; break;
    default: *__builtin_va_arg(*list, int *) = value;
  }
}

/* Where a float ends that a text begins with, which is stored unless it is dropped. */
static void scan_float(const char *text, char **end, Conversion *conversion, va_list *list) {
  float narrow = 0;
  double plain = 0;
  long double wide = 0;
  if (conversion->length == LONG) plain = strtod(text, end);
  else if (conversion->length == LONG_LONG) wide = strtold(text, end);
  else narrow = strtof(text, end);
  if (*end == text) return;
  if (**end == 'e' || **end == 'E') { /* the GNU C library reads it before it sees that there is no exponent */
    ++*end;
    if (**end == '-' || **end == '+') ++*end;
  }
  if (conversion->dropped) return;
  if (conversion->length == LONG) *__builtin_va_arg(*list, double *) = plain;
  else if (conversion->length == LONG_LONG) *__builtin_va_arg(*list, long double *) = wide;
  else *__builtin_va_arg(*list, float *) = narrow;
}

static void store_any_float(va_list *list, Conversion *conversion) {
  double value = __paddock_nondet_double();
  if (conversion->length == LONG) *__builtin_va_arg(*list, double *) = value;
  else if (conversion->length == LONG_LONG) *__builtin_va_arg(*list, long double *) = value;
  else *__builtin_va_arg(*list, float *) = (float)value;
}

/* Numbers are converted from a copy, which is as long as the width allows. */
static const char *scan_number(const char *text, Conversion *conversion, va_list *list) {
  char copy[MOST_DIGITS + 1];
  size_t room = conversion->has_width && conversion->width < MOST_DIGITS ? conversion->width : MOST_DIGITS, n = 0;
  char *end;
  while (n < room && text[n] != 0) {
    copy[n] = text[n];
    n++;
  }
  copy[n] = 0;
  long long value = 0;
  _Bool is_integer = 1;
  switch (conversion->letter) {
    case 'd': value = strtoll(copy, &end, 10); break;
    case 'i': value = strtoll(copy, &end, 0); break;
    case 'u': value = strtoull(copy, &end, 10); break;
    case 'o': value = strtoull(copy, &end, 8); break;
    case 'x': case 'X': case 'p': value = strtoull(copy, &end, 16); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      scan_float(copy, &end, conversion, list);
      is_integer = 0;
      break;
    default: __paddock_unsupported("the model of scanf knows this conversion");
  }
  if (end == copy) return 0;
  if (!conversion->dropped && is_integer) {
    if (conversion->letter == 'p') *__builtin_va_arg(*list, void **) = (void *)(size_t)value;
    else store_integer(list, conversion, value);
  }
  return text + (end - copy);
}

static const char *scan_text(const char *text, Conversion *conversion, va_list *list) {
  char *to = conversion->dropped ? 0 : __builtin_va_arg(*list, char *);
  size_t n = 0;
  if (conversion->letter == 'c') {
    for (size_t width = conversion->has_width ? conversion->width : 1; n < width; n++) {
      if (text[n] == 0) return n == 0 ? 0 : text + n;
      if (to) to[n] = text[n];
    }
    return text + n;
  }
  while ((!conversion->has_width || n < conversion->width) && is_taken(conversion, text[n])) {
    if (to) to[n] = text[n];
    n++;
  }
  if (n == 0) return 0;
  if (to) to[n] = 0;
  return text + n;
}

int vsscanf(const char *text, const char *format, va_list list) {
  const char *start = text;
  int count = 0;
  va_list rest;
  __builtin_va_copy(rest, list);
  for (; *format != 0; format++) {
    if (isspace((unsigned char)*format)) {
      while (isspace((unsigned char)*text)) text++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        while (isspace((unsigned char)*text)) text++;
      }
      if (*text != *format) return *text == 0 && count == 0 ? -1 : count;
      text++;
      continue;
    }
    Conversion conversion = {0, 0, 0, 0, PLAIN, 0, 0, 0};
    format = read_conversion(format + 1, &conversion);
    if (conversion.letter == 'n') {
      if (!conversion.dropped) store_integer(&rest, &conversion, text - start);
      continue;
    }
    _Bool is_text = conversion.letter == 'c' || conversion.letter == 's' || conversion.letter == '[';
    if (conversion.letter != 'c' && conversion.letter != '[')
      while (isspace((unsigned char)*text)) text++;
    if (*text == 0) return count == 0 ? -1 : count;
    const char *after = is_text ? scan_text(text, &conversion, &rest) : scan_number(text, &conversion, &rest);
    if (!after) return count;
    text = after;
    count += !conversion.dropped;
  }
  __builtin_va_end(rest);
  return count;
}

int sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = vsscanf(text, format, list);
  __builtin_va_end(list);
  return count;
}

/* Any text that a conversion takes. Where the format does not limit it, it may be of any length. */
static void any_text(Conversion *conversion, char *to) {
  size_t length = conversion->has_width ? conversion->width : 1;
  if (conversion->letter == 'c') {
    __paddock_any_bytes(to, length);
    return;
  }
  size_t most = conversion->has_width ? conversion->width : __PTRDIFF_MAX__;
  length = __paddock_nondet_size_t();
  __paddock_assume(length >= 1 && length <= most);
  if (conversion->has_width && most <= 1024) {
    for (size_t n = 0; n < most; n++) {
      if (n == length) break;
      to[n] = __paddock_nondet_char();
      __paddock_assume(is_taken(conversion, to[n]));
    }
  } else {
    __paddock_any_bytes(to, length);
  }
  to[length] = 0;
}

static void store_any(Conversion *conversion, va_list *list) {
  switch (conversion->letter) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'n':
      store_integer(list, conversion, __paddock_nondet_long_long());
      break;
    case 'p': *__builtin_va_arg(*list, void **) = (void *)__paddock_nondet_size_t(); break;
    case 'c': case 's': case '[': any_text(conversion, __builtin_va_arg(*list, char *)); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      store_any_float(list, conversion);
      break;
    default: __paddock_unsupported("the model of scanf knows this conversion");
  }
}

static int scan_anything(const char *format, va_list list) {
  int count = 0;
  va_list rest;
  __builtin_va_copy(rest, list);
  for (; *format != 0; format++) {
    if (*format != '%') continue;
    Conversion conversion = {0, 0, 0, 0, PLAIN, 0, 0, 0};
    format = read_conversion(format + 1, &conversion);
    if (conversion.letter == '%') continue;
    if (conversion.letter != 'n' && __paddock_nondet_bool()) return count == 0 && __paddock_nondet_bool() ? -1 : count;
    if (conversion.dropped) continue;
    store_any(&conversion, &rest);
    count += conversion.letter != 'n';
  }
  __builtin_va_end(rest);
  return count;
}

int vfscanf(void *file, const char *format, va_list list) { return scan_anything(format, list); }
int vscanf(const char *format, va_list list) { return scan_anything(format, list); }

int fscanf(void *file, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = scan_anything(format, list);
  __builtin_va_end(list);
  return count;
}

int scanf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = scan_anything(format, list);
  __builtin_va_end(list);
  return count;
}
