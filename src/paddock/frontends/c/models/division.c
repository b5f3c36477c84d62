/* Quotients with their remainders. */

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

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

lldiv_t imaxdiv(long long a, long long b) { return lldiv(a, b); }
