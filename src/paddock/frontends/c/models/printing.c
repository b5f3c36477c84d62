/* Text by a format into memory: `snprintf` and its like. Floats give any bytes,
   of a possible length. */

typedef __SIZE_TYPE__ size_t;
typedef __builtin_va_list va_list;
void *malloc(size_t size);
char *strerror(int number);
unsigned __paddock_nondet_unsigned(void);
void __paddock_any_bytes(void *start, size_t size);
void __paddock_assume(_Bool condition);
void __paddock_unsupported(const char *what);

/* Where text goes: `room` characters, with the last one for the end. All characters are counted. */
typedef struct {
  char *to;
  size_t room, count;
} Output;

static void put(Output *output, char c) {
  if (output->count + 1 < output->room) output->to[output->count] = c;
  output->count++;
}

static void put_times(Output *output, char c, int times) {
  for (int n = 0; n < times; n++) put(output, c);
}

/* What stands between `%` and the letter of a conversion. */
typedef struct {
  _Bool left, plus, space, alternative, zero;
  int width, precision; /* -1 if there is none */
  enum { PLAIN, CHAR, SHORT, LONG, LONG_LONG, WIDE_LONG_DOUBLE } length;
} Directive;

static const char *read_flags(const char *format, Directive *directive) {
  for (;; format++) switch (*format) {
      case '-': directive->left = 1; break;
      case '+': directive->plus = 1; break;
      case ' ': directive->space = 1; break;
      case '#': directive->alternative = 1; break;
      case '0': directive->zero = 1; break;
      default: return format;
    }
}

static const char *read_number(const char *format, int *number) {
  for (*number = 0; *format >= '0' && *format <= '9'; format++) *number = *number * 10 + (*format - '0');
  return format;
}

static const char *read_length(const char *format, Directive *directive) {
  switch (*format) {
    case 'h':
      directive->length = format[1] == 'h' ? CHAR : SHORT;
      return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
      directive->length = format[1] == 'l' ? LONG_LONG : LONG;
      return format + (format[1] == 'l' ? 2 : 1);
    case 'q': case 'j': directive->length = LONG_LONG; return format + 1;
    case 'z': case 't': directive->length = LONG; return format + 1;
    case 'L': directive->length = WIDE_LONG_DOUBLE; return format + 1;
    default: return format;
  }
}

static void put_padded(Output *output, Directive *directive, const char *text, int length) {
  int padding = directive->width - length;
  if (!directive->left) put_times(output, ' ', padding);
  for (int n = 0; n < length; n++) put(output, text[n]);
  if (directive->left) put_times(output, ' ', padding);
}

/* The digits of a number, the last one first. Their number is bounded by the type, so that loops end. */
static int digits_below_2_32(unsigned value, unsigned base, char *digits, char ten) {
  int count = 0;
  for (int n = 0; n < 11; n++) {
    if (value == 0) break;
    unsigned digit = value % base;
    digits[count++] = digit < 10 ? '0' + digit : ten + (digit - 10);
    value /= base;
  }
  return count;
}

static int digits_of_number(unsigned long long value, unsigned base, char *digits, char ten) {
  if (value <= 0xffffffff) return digits_below_2_32((unsigned)value, base, digits, ten);
  int count = 0;
  for (int n = 0; n < 22; n++) {
    if (value == 0) break;
    unsigned digit = value % base;
    digits[count++] = digit < 10 ? '0' + digit : ten + (digit - 10);
    value /= base;
  }
  return count;
}

static void put_number(Output *output, Directive *directive, _Bool negative, unsigned long long value, char letter) {
  char digits[24];
  unsigned base = letter == 'x' || letter == 'X' || letter == 'p' ? 16 : letter == 'o' ? 8 : 10;
  int count = directive->precision == 0 && value == 0 ? 0 : 1, sign = 0, zeros = 0, hex = 0;
  if (value == 0) digits[0] = '0';
  else count = digits_of_number(value, base, digits, letter == 'X' ? 'A' : 'a');
  _Bool is_signed = letter == 'd' || letter == 'i';
  char sign_is = negative ? '-' : directive->plus ? '+' : ' ';
  if (is_signed && (negative || directive->plus || directive->space)) sign = 1;
  if (base == 16 && (letter == 'p' || (directive->alternative && value != 0))) hex = 2;
  if (directive->precision > count) zeros = directive->precision - count;
  if (base == 8 && directive->alternative && zeros == 0 && (value != 0 || count == 0)) zeros = 1;
  int padding = directive->width - (sign + hex + zeros + count);
  if (padding > 0 && directive->zero && !directive->left && directive->precision < 0) {
    zeros += padding;
    padding = 0;
  }
  if (!directive->left) put_times(output, ' ', padding);
  if (sign) put(output, sign_is);
  if (hex) {
    put(output, '0');
    put(output, letter == 'X' ? 'X' : 'x');
  }
  put_times(output, '0', zeros);
  while (count > 0) put(output, digits[--count]);
  if (directive->left) put_times(output, ' ', padding);
}

/* `length` says how large a number was before it was given to a function with any arguments. */
static long long signed_argument(va_list *list, Directive *directive) {
  switch (directive->length) {
    case CHAR: return (signed char)__builtin_va_arg(*list, int);
    case SHORT: return (short)__builtin_va_arg(*list, int);
    case LONG: return __builtin_va_arg(*list, long);
    case LONG_LONG: case WIDE_LONG_DOUBLE: return __builtin_va_arg(*list, long long);
    default: return __builtin_va_arg(*list, int);
  }
}

static unsigned long long unsigned_argument(va_list *list, Directive *directive) {
  switch (directive->length) {
    case CHAR: return (unsigned char)__builtin_va_arg(*list, unsigned);
    case SHORT: return (unsigned short)__builtin_va_arg(*list, unsigned);
    case LONG: return __builtin_va_arg(*list, unsigned long);
    case LONG_LONG: case WIDE_LONG_DOUBLE: return __builtin_va_arg(*list, unsigned long long);
    default: return __builtin_va_arg(*list, unsigned);
  }
}

static void put_string(Output *output, Directive *directive, const char *text) {
  int length = 0;
  if (!text) text = directive->precision >= 0 && directive->precision < 6 ? "" : "(null)";
  while ((directive->precision < 0 || length < directive->precision) && text[length] != 0) length++;
  put_padded(output, directive, text, length);
}

/* Any text: a sign, up to 309 digits before the point (4,933 of a long double), the point, and what the precision asks
   for. */
static void put_float(Output *output, Directive *directive, char letter) {
  unsigned least = directive->width > 0 ? directive->width : 1, length = __paddock_nondet_unsigned();
  unsigned whole = letter == 'f' || letter == 'F' ? directive->length == WIDE_LONG_DOUBLE ? 4940 : 316 : 16;
  unsigned most = (directive->precision < 0 ? 20 : directive->precision) + whole;
  __paddock_assume(length >= least && (length <= most || length == least));
  if (output->count + 1 < output->room) {
    size_t room = output->room - 1 - output->count;
    __paddock_any_bytes(output->to + output->count, length < room ? length : room);
  }
  output->count += length;
}

static void put_count(va_list *list, Directive *directive, size_t count) {
  switch (directive->length) {
    case CHAR: *__builtin_va_arg(*list, signed char *) = count; break;
    case SHORT: *__builtin_va_arg(*list, short *) = count; break;
    case LONG: *__builtin_va_arg(*list, long *) = count; break;
    case LONG_LONG: case WIDE_LONG_DOUBLE: *__builtin_va_arg(*list, long long *) = count; break;
    default: *__builtin_va_arg(*list, int *) = count;
  }
}

static void put_pointer(Output *output, Directive *directive, void *pointer) {
  if (pointer) put_number(output, directive, 0, (size_t)pointer, 'p');
  else put_padded(output, directive, "(nil)", 5);
}

static void put_converted(Output *output, Directive *directive, char letter, va_list *list) {
  char c;
  long long number;
  switch (letter) {
    case 'd': case 'i':
      number = signed_argument(list, directive);
      put_number(output, directive, number < 0, number < 0 ? -(unsigned long long)number : number, letter);
      break;
    case 'u': case 'x': case 'X': case 'o':
      put_number(output, directive, 0, unsigned_argument(list, directive), letter);
      break;
    case 'c':
      c = (char)__builtin_va_arg(*list, int);
      put_padded(output, directive, &c, 1);
      break;
    case 's':
      if (directive->length == LONG) __paddock_unsupported("the model of printf knows this conversion"); /* wide characters */
      put_string(output, directive, __builtin_va_arg(*list, const char *));
      break;
    case 'm': put_string(output, directive, strerror(0)); break; /* the text is arbitrary anyway */
    case 'p': put_pointer(output, directive, __builtin_va_arg(*list, void *)); break;
    case 'n': put_count(list, directive, output->count); break;
    case '%': put(output, '%'); break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
      if (directive->length == WIDE_LONG_DOUBLE) (void)__builtin_va_arg(*list, long double);
      else (void)__builtin_va_arg(*list, double);
      put_float(output, directive, letter);
      break;
    default: __paddock_unsupported("the model of printf knows this conversion");
  }
}

int vsnprintf(char *to, size_t room, const char *format, va_list list) {
  Output output = {to, room, 0};
  va_list rest;
  __builtin_va_copy(rest, list);
  for (; *format != 0; format++) {
    if (*format != '%') {
      put(&output, *format);
      continue;
    }
    Directive directive = {0, 0, 0, 0, 0, 0, -1, PLAIN};
    format = read_flags(format + 1, &directive);
    if (*format == '*') {
      directive.width = __builtin_va_arg(rest, int);
      if (directive.width < 0) {
        directive.left = 1;
        directive.width = -directive.width;
      }
      format++;
    } else {
      format = read_number(format, &directive.width);
    }
    if (*format == '.') {
      if (*++format == '*') {
        directive.precision = __builtin_va_arg(rest, int);
        format++;
      } else {
        format = read_number(format, &directive.precision);
      }
    }
    format = read_length(format, &directive);
    put_converted(&output, &directive, *format, &rest);
  }
  __builtin_va_end(rest);
  if (room > 0) to[output.count < room ? output.count : room - 1] = 0;
  return (int)output.count;
}

int snprintf(char *to, size_t room, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = vsnprintf(to, room, format, list);
  __builtin_va_end(list);
  return count;
}

int vsprintf(char *to, const char *format, va_list list) { return vsnprintf(to, __PTRDIFF_MAX__, format, list); }

int sprintf(char *to, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = vsnprintf(to, __PTRDIFF_MAX__, format, list);
  __builtin_va_end(list);
  return count;
}

int vasprintf(char **to, const char *format, va_list list) {
  int count = vsnprintf(0, 0, format, list);
  *to = malloc(count + 1);
  return *to ? vsnprintf(*to, count + 1, format, list) : -1;
}

int asprintf(char **to, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  int count = vasprintf(to, format, list);
  __builtin_va_end(list);
  return count;
}

/* Builtins: snprintf sprintf vsnprintf vsprintf */
