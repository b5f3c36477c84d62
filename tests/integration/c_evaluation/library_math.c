/* Functions on exponents of floats, and what is certain of others. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>

CASE(parts, 1072939) {
  int e, f, g;
  double a = frexp(10.0, &e), b = frexp(-0.3, &f), c = frexp(5e-324, &g);
  return (a == 0.625) + 2 * (b == -0.6) + 4 * (c == 0.5) + 8 * e + 100 * f - 1000 * g;
}
CASE(parts_of_special, 10) {
  int e = 7;
  double zero = frexp(-0.0, &e);
  return signbit(zero) ? 10 + e : e;
}
CASE(scaled, 127) {
  return (ldexp(0.75, 4) == 12) + 2 * (scalbn(1.0, -1074) == 5e-324) + 4 * (scalbn(1.0, -1075) == 0) + 8 * (scalbn(5e-324, 1074) == 1) +
         16 * (ldexp(1.0, 1024) == HUGE_VAL) + 32 * (ldexp(5e-324, 2000) == 0x1p926) + 64 * (scalbn(0x1.8p0, -1074) == 1e-323);
}
CASE(scaled_once, 1) { return ldexp(0x1.fffffffffffffp0, -1050) == 0x1p-1049; }
CASE(scaled_floats, 15) {
  return (ldexpf(0.75f, 4) == 12) + 2 * (scalbnf(1.0f, -149) == 1.401298464e-45f) + 4 * (scalbnf(1.0f, -150) == 0) +
         8 * (ldexpf(1.0f, 128) == HUGE_VALF);
}
CASE(exponents, 27108) { return ilogb(10.0) * 10000 + ilogb(0.1) * 1000 - ilogb(5e-324) + (ilogb(0.0) == FP_ILOGB0) + (int)logb(1e10); }
CASE(neighbours, 63) {
  return (nextafter(1.0, 2.0) == 1 + 0x1p-52) + 2 * (nextafter(1.0, 0.0) == 1 - 0x1p-53) + 4 * (nextafter(0.0, -1.0) == -5e-324) +
         8 * (nextafterf(1.0f, 2.0f) == 1 + 0x1p-23f) + 16 * (nextafter(-1.0, -2.0) == -1 - 0x1p-52) + 32 * (nextafter(3.0, 3.0) == 3);
}
CASE(whole_and_rest, 31) {
  double whole, other;
  double rest = modf(-3.25, &whole);
  float wholef, restf = modff(2.5f, &wholef);
  return (rest == -0.25) + 2 * (whole == -3) + 4 * (restf == 0.5f) + 8 * (wholef == 2) + 16 * (modf(-HUGE_VAL, &other) == 0);
}
CASE(differences, 7) { return (fdim(5, 3) == 2) + 2 * (fdim(3, 5) == 0) + 4 * isnan(fdim(NAN, 1)); }
CASE(certain, 127) {
  volatile double x = 0.5;
  double s = sin(x), c = cos(x), e = exp(x), l = log(x), t = atan(x);
  return (s >= -1 && s <= 1) + 2 * (c <= 1) + 4 * (e >= 1) + 8 * (l <= 0) + 16 * (t >= 0) + 32 * (exp(0) == 1) + 64 * (pow(x, 0) == 1);
}
CASE(outside_of_domains, 31) {
  volatile double minus = -1, zero = 0;
  errno = 0;
  double l = log(minus);
  return isnan(l) + 2 * (errno == EDOM) + 4 * (log(zero) == -HUGE_VAL) + 8 * isnan(acos(minus * 2)) + 16 * isnan(pow(minus, 0.5));
}
CASE(powers, 15) { return (pow(3, 2) == 9) + 2 * (pow(1, 1e300) == 1) + 4 * (pow(7, 1) == 7) + 8 * (hypot(0, -3) == 3); }
CASE(zeros, 31) {
  volatile double zero = -0.0;
  return (hypot(zero, zero) == 0 && !signbit(hypot(zero, zero))) + 2 * (pow(zero, -1) == -HUGE_VAL) + 4 * (pow(zero, -2) == HUGE_VAL) +
         8 * !!signbit(pow(zero, 3)) + 16 * !signbit(pow(zero, 2));
}
