/* Quotients with their remainders. */

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { __INTMAX_TYPE__ quot, rem; } imaxdiv_t;

div_t div(int a, int b) {
  div_t both = {a / b, a % b};
  return both;
}

ldiv_t ldiv(long a, long b) {
  ldiv_t both = {a / b, a % b};
  return both;
}

lldiv_t lldiv(long long a, long long b) {
  lldiv_t both = {a / b, a % b};
  return both;
}

imaxdiv_t imaxdiv(__INTMAX_TYPE__ a, __INTMAX_TYPE__ b) {
  imaxdiv_t both = {a / b, a % b};
  return both;
}
