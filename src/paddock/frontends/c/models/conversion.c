/* Numbers from texts. */

int *__errno_location(void);
int isspace(int c);
int isxdigit(int c);
double __paddock_nondet_double(void);
void __paddock_assume(_Bool condition);
double fma(double x, double y, double z);
float nextafterf(float x, float y);

/* The value of a digit, or one that is too large for any base. */
static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

/* What a text says of an integer: whether it has a sign, how large it is, whether that is too large to tell. */
typedef struct {
  _Bool negative, too_large;
  unsigned long long magnitude;
} Read;

static Read integer_of(const char *s, char **end, int base) {
  Read read = {0, 0, 0};
  const char *start = s;
  if (end) *end = (char *)start;
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22; /* EINVAL */
    return read;
  }
  while (isspace((unsigned char)*s)) s++;
  if (*s == '-' || *s == '+') read.negative = *s++ == '-';
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  while (digit_of(*s) < base) {
    if (__builtin_mul_overflow(read.magnitude, (unsigned long long)base, &read.magnitude)) read.too_large = 1;
    if (__builtin_add_overflow(read.magnitude, (unsigned long long)digit_of(*s), &read.magnitude)) read.too_large = 1;
    s++;
    if (end) *end = (char *)s;
  }
  return read;
}

static long long limited(Read read, unsigned long long largest) {
  unsigned long long most = largest + read.negative;
  if (read.too_large || read.magnitude > most) {
    *__errno_location() = 34; /* ERANGE */
    read.magnitude = most;
  }
  return (long long)(read.negative ? -read.magnitude : read.magnitude);
}

static unsigned long long limited_unsigned(Read read, unsigned long long largest) {
  if (read.too_large || read.magnitude > largest) {
    *__errno_location() = 34;
    return largest;
  }
  return read.negative ? -read.magnitude : read.magnitude;
}

long strtol(const char *s, char **end, int base) {
  return (long)limited(integer_of(s, end, base), __LONG_MAX__);
}

long long strtoll(const char *s, char **end, int base) {
  return limited(integer_of(s, end, base), __LONG_LONG_MAX__);
}

long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long strtoul(const char *s, char **end, int base) {
  return (unsigned long)limited_unsigned(integer_of(s, end, base), __LONG_MAX__ * 2UL + 1);
}

unsigned long long strtoull(const char *s, char **end, int base) {
  return limited_unsigned(integer_of(s, end, base), __LONG_LONG_MAX__ * 2ULL + 1);
}

unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

/* Whether a text begins with a word, whose letters are small; capital ones are the same. */
static _Bool begins(const char *s, const char *word) {
  for (; *word; s++, word++)
    if (*s != *word && *s != *word - 'a' + 'A') return 0;
  return 1;
}

/* What a text says of a float. */
typedef struct {
  enum { NOTHING, INFINITE, NOT_A_NUMBER, DECIMAL, OTHER } kind;
  _Bool negative;
  unsigned long long digits; /* of a decimal: digits times a power of ten, both of which a double can be */
  int exponent;
} ReadFloat;

/* The end of what may follow a number: a letter and a power, which is what a caller gets. */
static const char *after_power(const char *s, char letter, int *power) {
  if (*s != letter && *s != letter - 'a' + 'A') return s;
  const char *digit = s + 1;
  _Bool below = *digit == '-';
  if (*digit == '-' || *digit == '+') digit++;
  if (digit_of(*digit) >= 10) return s;
  for (; digit_of(*digit) < 10; digit++)
    if (*power < 10000) *power = *power * 10 + digit_of(*digit);
  if (below) *power = -*power;
  return digit;
}

static ReadFloat digits_of(const char *s, const char **end, int base) {
  ReadFloat read = {NOTHING, 0, 0, 0};
  int power = 0;
  _Bool point = 0, many = 0;
  for (; digit_of(*s) < base || (*s == '.' && !point); s++) {
    if (*s == '.') {
      point = 1;
      continue;
    }
    read.kind = DECIMAL;
    read.exponent -= point;
    if (read.digits < (1ULL << 53) / 16 - 1) read.digits = read.digits * base + digit_of(*s); else many = 1;
  }
  if (read.kind == NOTHING) return read;
  *end = after_power(s, base == 16 ? 'p' : 'e', &power);
  read.exponent += power;
  if (read.digits == 0 && !many) read.exponent = 0;
  else if (many || base != 10 || read.exponent < -22 || read.exponent > 22) read.kind = OTHER;
  return read;
}

static ReadFloat float_of(const char *s, char **end) {
  const char *after = s;
  ReadFloat read = {NOTHING, 0, 0, 0};
  _Bool negative = 0;
  while (isspace((unsigned char)*s)) s++;
  if (*s == '-' || *s == '+') negative = *s++ == '-';
  if (begins(s, "inf")) {
    after = s + (begins(s, "infinity") ? 8 : 3);
    read.kind = INFINITE;
  } else if (begins(s, "nan")) {
    after = s + 3;
    read.kind = NOT_A_NUMBER;
    if (*after == '(') {
      const char *inside = after + 1;
      while (digit_of(*inside) < 36 || *inside == '_') inside++;
      if (*inside == ')') after = inside + 1;
    }
  } else if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && (isxdigit(s[2]) || (s[2] == '.' && isxdigit(s[3])))) {
    read = digits_of(s + 2, &after, 16);
  } else {
    read = digits_of(s, &after, 10);
  }
  read.negative = negative;
  if (end) *end = (char *)after;
  return read;
}

/* Few digits and a small power of ten give what is computed with them, for only the last operation rounds. What else
   there is, is not computed: any number of the right sign. */
static double any_float(void) {
  double value = __paddock_nondet_double();
  __paddock_assume(value >= 0);
  if (value == 0 || value == __builtin_inf()) *__errno_location() = 34; /* ERANGE */
  return value;
}

static double power_of_ten(int exponent) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return powers[exponent];
}

static double value_of(ReadFloat read) {
  switch (read.kind) {
    case NOTHING: return 0;
    case INFINITE: return read.negative ? -__builtin_inf() : __builtin_inf();
    case NOT_A_NUMBER: return read.negative ? -__builtin_nan("") : __builtin_nan("");
    case OTHER: return read.negative ? -any_float() : any_float();
    case DECIMAL: break;
  }
  double digits = read.negative ? -(double)read.digits : (double)read.digits;
  return read.exponent < 0 ? digits / power_of_ten(-read.exponent) : digits * power_of_ten(read.exponent);
}

double strtod(const char *s, char **end) {
  return value_of(float_of(s, end));
}

/* How a number that was rounded to a double compares with it: below, above or equal to zero. */
static double rest_of(ReadFloat read, double rounded) {
  double digits = read.negative ? -(double)read.digits : (double)read.digits;
  if (read.exponent < 0) return fma(-rounded, power_of_ten(-read.exponent), digits);
  return fma(digits, power_of_ten(read.exponent), -rounded);
}

/* Rounding a double once more is right where it is not just between two floats; there, what the first time has taken
   away decides. Of subnormal numbers no more is known than the sign. */
float strtof(const char *s, char **end) {
  ReadFloat read = float_of(s, end);
  union { double value; unsigned long long bits; } wide = {value_of(read)};
  float value = (float)wide.value;
  if (read.kind != DECIMAL || read.digits == 0) return value;
  if (wide.value < 0x1p-126 && wide.value > -0x1p-126) return (float)(read.negative ? -any_float() : any_float());
  if ((wide.bits & 0x1fffffff) == 0x10000000) {
    double rest = rest_of(read, wide.value);
    if (value > wide.value && rest < 0) return nextafterf(value, -__builtin_inff());
    if (value < wide.value && rest > 0) return nextafterf(value, __builtin_inff());
  }
  return value;
}

long double strtold(const char *s, char **end) {
  ReadFloat read = float_of(s, end);
  long double value = value_of(read);
  long double digits = read.negative ? -(long double)read.digits : (long double)read.digits;
  if (read.kind == DECIMAL && read.exponent < 0) value = digits / power_of_ten(-read.exponent);
  if (read.kind == DECIMAL && read.exponent > 0) value = digits * power_of_ten(read.exponent);
  return value;
}

double atof(const char *s) { return strtod(s, 0); }
