/* Functions on floats beyond arithmetic: those on exponents are exact; of those that libraries only approximate, what
   is certain of the result is assumed.

   Defines: sin cos tan asin acos atan sinh cosh tanh exp exp2 expm1 log log2 log10 log1p erf tgamma lgamma cbrt
   atan2 pow hypot sinf cosf tanf asinf acosf atanf sinhf coshf tanhf expf exp2f expm1f logf log2f log10f log1pf erff
   tgammaf lgammaf cbrtf atan2f powf hypotf sinl cosl tanl asinl acosl atanl sinhl coshl tanhl expl exp2l expm1l logl
   log2l log10l log1pl erfl tgammal lgammal cbrtl atan2l powl hypotl fdim fdimf fdiml modf modff modfl scalbn scalbnf
   ldexp ldexpf scalbln scalblnf frexp frexpf ilogb ilogbf logb logbf nextafter nextafterf */

float __paddock_nondet_float(void);
double __paddock_nondet_double(void);
long double __paddock_nondet_long_double(void);
void __paddock_assume(_Bool condition);
int *__errno_location(void);
double trunc(double x);
float truncf(float x);
long double truncl(long double x);
double fabs(double x);
float fabsf(float x);
long double fabsl(long double x);
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
long double fmal(long double x, long double y, long double z);
double copysign(double x, double y);
float copysignf(float x, float y);
long double copysignl(long double x, long double y);

#define EDOM 33
#define ERANGE 34
#define IS_NAN(x) ((x) != (x))
#define IS_INFINITE(x) ((x) == __builtin_inf() || (x) == -__builtin_inf())

_Bool __paddock_nondet_bool(void);

/* A result that is infinite is an error, unless the argument is; one that is next to zero may be. */
static _Bool may_be_out_of_range(long double argument, long double result) {
  if (IS_INFINITE(result)) return !IS_INFINITE(argument);
  return argument != 0 && result < 1e-30 && result > -1e-30 && __paddock_nondet_bool();
}

/* A function of one argument: NaN for NaN, and where `domain` does not hold, an error; else a result of which `range`
   holds. */
#define APPROXIMATED(T, nondet, name, domain, range)          \
  T name(T x) {                                               \
    if (IS_NAN(x)) return x;                                  \
    if (!(domain)) {                                          \
      *__errno_location() = EDOM;                             \
      return __builtin_nan("");                               \
    }                                                         \
    T y = nondet();                                           \
    __paddock_assume(!IS_NAN(y) && (range));                  \
    if (may_be_out_of_range(x, y)) *__errno_location() = ERANGE; \
    return y;                                                 \
  }

#define SIGN_OF_X (x > 0 ? y >= 0 : x < 0 ? y <= 0 : y == 0)
#define ALL_APPROXIMATED(T, nondet, f)                                                                         \
  APPROXIMATED(T, nondet, sin##f, !IS_INFINITE(x), y >= -1 && y <= 1 && (x != 0 || y == 0))                   \
  APPROXIMATED(T, nondet, cos##f, !IS_INFINITE(x), y >= -1 && y <= 1 && (x != 0 || y == 1))                   \
  APPROXIMATED(T, nondet, tan##f, !IS_INFINITE(x), x != 0 || y == 0)                                          \
  APPROXIMATED(T, nondet, asin##f, x >= -1 && x <= 1, SIGN_OF_X && y >= -1.5707964 && y <= 1.5707964)         \
  APPROXIMATED(T, nondet, acos##f, x >= -1 && x <= 1, y >= 0 && y <= 3.1415928 && (x != 1 || y == 0))         \
  APPROXIMATED(T, nondet, atan##f, 1, SIGN_OF_X && y >= -1.5707964 && y <= 1.5707964)                         \
  APPROXIMATED(T, nondet, sinh##f, 1, SIGN_OF_X)                                                              \
  APPROXIMATED(T, nondet, cosh##f, 1, y >= 1 && (x != 0 || y == 1))                                           \
  APPROXIMATED(T, nondet, tanh##f, 1, SIGN_OF_X && y >= -1 && y <= 1)                                         \
  APPROXIMATED(T, nondet, exp##f, 1, x > 0 ? y >= 1 : x < 0 ? y >= 0 && y <= 1 : y == 1)                      \
  APPROXIMATED(T, nondet, exp2##f, 1, x > 0 ? y >= 1 : x < 0 ? y >= 0 && y <= 1 : y == 1)                     \
  APPROXIMATED(T, nondet, expm1##f, 1, SIGN_OF_X && y >= -1)                                                  \
  APPROXIMATED(T, nondet, log##f, x >= 0, x > 1 ? y >= 0 : x == 1 ? y == 0 : y <= 0 && (x != 0 || IS_INFINITE(y)))   \
  APPROXIMATED(T, nondet, log2##f, x >= 0, x > 1 ? y >= 0 : x == 1 ? y == 0 : y <= 0 && (x != 0 || IS_INFINITE(y)))  \
  APPROXIMATED(T, nondet, log10##f, x >= 0, x > 1 ? y >= 0 : x == 1 ? y == 0 : y <= 0 && (x != 0 || IS_INFINITE(y))) \
  APPROXIMATED(T, nondet, log1p##f, x >= -1, SIGN_OF_X)                                                       \
  APPROXIMATED(T, nondet, erf##f, 1, SIGN_OF_X && y >= -1 && y <= 1)                                          \
  APPROXIMATED(T, nondet, tgamma##f, x > 0 || x != trunc##f(x) || x == 0, 1)                                  \
  APPROXIMATED(T, nondet, lgamma##f, 1, 1)                                                                    \
  APPROXIMATED(T, nondet, cbrt##f, 1, SIGN_OF_X && (!IS_INFINITE(y) || IS_INFINITE(x)))                       \
  T atan2##f(T y, T x) {                                                                                      \
    T angle = nondet();                                                                                       \
    if (IS_NAN(x) || IS_NAN(y)) return x + y;                                                                 \
    __paddock_assume(angle >= -3.1415928 && angle <= 3.1415928 && (y >= 0 || angle <= 0) && (y <= 0 || angle >= 0));  \
    return angle;                                                                                             \
  }                                                                                                           \
  T hypot##f(T x, T y) {                                                                                      \
    T length = nondet();                                                                                      \
    if (IS_INFINITE(x) || IS_INFINITE(y)) return __builtin_inf();                                             \
    if (IS_NAN(x) || IS_NAN(y)) return x + y;                                                                 \
    if (x == 0 || y == 0) return fabs##f(x) + fabs##f(y);                                                     \
    __paddock_assume(length >= (x < 0 ? -x : x) && length >= (y < 0 ? -y : y));                               \
    if (IS_INFINITE(length)) *__errno_location() = ERANGE;                                                    \
    return length;                                                                                            \
  }                                                                                                           \
  T pow##f(T x, T y) {                                                                                        \
    T power = nondet();                                                                                       \
    if (y == 0 || x == 1) return 1;                                                                           \
    if (y == 1) return x;                                                                                     \
    if (IS_NAN(x) || IS_NAN(y)) return x + y;                                                                 \
    if (x < 0 && !IS_INFINITE(x) && !IS_INFINITE(y) && y != trunc##f(y)) {                                    \
      *__errno_location() = EDOM;                                                                             \
      return __builtin_nan("");                                                                               \
    }                                                                                                         \
    if (y == 2 && x * x >= 1e-30 && fma##f(x, x, -(x * x)) == 0) return x * x;                                \
    if (x == 0 && !IS_INFINITE(y)) {                                                                          \
      _Bool odd = y == trunc##f(y) && y / 2 != trunc##f(y / 2);                                               \
      if (y < 0) *__errno_location() = ERANGE;                                                                \
      return copysign##f(y < 0 ? __builtin_inf() : 0, odd ? x : 1);                                           \
    }                                                                                                         \
    __paddock_assume(x < 0 ? !IS_NAN(power) : power >= 0);                                                    \
    if (x > 1 && y > 0) __paddock_assume(power >= 1);                                                         \
    if (x == 0) __paddock_assume(y > 0 ? power == 0 : IS_INFINITE(power));                                    \
    if (!IS_INFINITE(x) && !IS_INFINITE(y) && (IS_INFINITE(power) || (power == 0 && x != 0))) *__errno_location() = ERANGE; \
    return power;                                                                                             \
  }                                                                                                           \
  T fdim##f(T x, T y) { return IS_NAN(x) || IS_NAN(y) ? x + y : x > y ? x - y : 0; }                          \
  T modf##f(T x, T *whole) {                                                                                  \
    *whole = trunc##f(x);                                                                                     \
    return copysign##f(IS_INFINITE(x) ? 0 : x - *whole, x);                                                   \
  }

ALL_APPROXIMATED(double, __paddock_nondet_double, )
ALL_APPROXIMATED(float, __paddock_nondet_float, f)
ALL_APPROXIMATED(long double, __paddock_nondet_long_double, l)

/* Exponents: `BITS` is an integer as wide as the float, `FRACTION` how many of its bits are the fraction, `BIAS` what is
   added to the exponent, and `SCALE` a power that makes a subnormal number a normal one. */
#define POWERS(T, f, Bits, FRACTION, BIAS, SCALE)                                          \
  static T power_of_two##f(int exponent) { /* that of a normal number */                   \
    union { Bits bits; T value; } number;                                                  \
    number.bits = (Bits)(exponent + BIAS) << FRACTION;                                     \
    return number.value;                                                                   \
  }                                                                                        \
  T frexp##f(T x, int *exponent) {                                                         \
    union { T value; Bits bits; } number = {x};                                            \
    int shift = 0;                                                                         \
    *exponent = 0;                                                                         \
    if (x == 0 || IS_NAN(x) || IS_INFINITE(x)) return x;                                   \
    if (((number.bits >> FRACTION) & (2 * BIAS + 1)) == 0) {                               \
      number.value = x * power_of_two##f(SCALE);                                           \
      shift = SCALE;                                                                       \
    }                                                                                      \
    *exponent = (int)((number.bits >> FRACTION) & (2 * BIAS + 1)) - (BIAS - 1) - shift;    \
    number.bits &= ~((Bits)(2 * BIAS + 1) << FRACTION);                                    \
    number.bits |= (Bits)(BIAS - 1) << FRACTION;                                           \
    return number.value;                                                                   \
  }                                                                                        \
  int ilogb##f(T x) {                                                                      \
    int exponent;                                                                          \
    if (x == 0 || IS_NAN(x) || IS_INFINITE(x)) {                                           \
      *__errno_location() = EDOM;                                                          \
      return IS_INFINITE(x) ? __INT_MAX__ : -__INT_MAX__ - 1;                              \
    }                                                                                      \
    frexp##f(x, &exponent);                                                                \
    return exponent - 1;                                                                   \
  }                                                                                        \
  T logb##f(T x) {                                                                         \
    if (x == 0) *__errno_location() = ERANGE;                                              \
    return x == 0 ? -__builtin_inf() : IS_NAN(x) || IS_INFINITE(x) ? x * x : (T)ilogb##f(x); \
  }                                                                                        \
  T scalbn##f(T x, int n) { /* only the last step rounds */                                \
    _Bool was_number = x != 0 && !IS_NAN(x) && !IS_INFINITE(x);                            \
    if (n > 3 * BIAS) n = 3 * BIAS;                                                        \
    if (n < -3 * BIAS) n = -3 * BIAS;                                                      \
    for (int step = 0; step < 2; step++) {                                                 \
      if (n > BIAS) {                                                                      \
        x *= power_of_two##f(BIAS);                                                        \
        n -= BIAS;                                                                         \
      } else if (n < -(BIAS - 1)) { /* what is left is more than a fraction away from where numbers end */ \
        x *= power_of_two##f(FRACTION + 2 - BIAS);                                         \
        n += BIAS - 2 - FRACTION;                                                          \
      }                                                                                    \
    }                                                                                      \
    if (n > BIAS) n = BIAS;                                                                \
    if (n < -(BIAS - 1)) n = -(BIAS - 1);                                                  \
    x *= power_of_two##f(n);                                                               \
    if (was_number && (x == 0 || IS_INFINITE(x))) *__errno_location() = ERANGE;            \
    return x;                                                                              \
  }                                                                                        \
  T ldexp##f(T x, int n) { return scalbn##f(x, n); }                                       \
  T scalbln##f(T x, long n) { return scalbn##f(x, n > 99999 ? 99999 : n < -99999 ? -99999 : (int)n); } \
  T nextafter##f(T x, T y) {                                                               \
    union { T value; Bits bits; } number = {x};                                            \
    if (IS_NAN(x) || IS_NAN(y)) return x + y;                                              \
    if (x == y) return y;                                                                  \
    if (x == 0) {                                                                          \
      number.bits = 1;                                                                     \
      return copysign##f(number.value, y);                                                 \
    }                                                                                      \
    number.bits += (x < y) == (x > 0) ? 1 : -1;                                            \
    if (IS_INFINITE(number.value) || ((number.bits >> FRACTION) & (2 * BIAS + 1)) == 0) *__errno_location() = ERANGE; \
    return number.value;                                                                   \
  }

POWERS(double, , unsigned long long, 52, 1023, 64)
POWERS(float, f, unsigned, 23, 127, 32)
