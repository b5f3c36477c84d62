#ifndef __paddock_inttypes
#define __paddock_inttypes
#include <stdint.h>

#ifdef __LP64__
#define __paddock_64 "l"
#define __paddock_pointer "l"
#else
#define __paddock_64 "ll"
#define __paddock_pointer ""
#endif

#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __paddock_64 "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 __paddock_64 "i"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 __paddock_64 "o"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __paddock_64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __paddock_64 "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 __paddock_64 "X"
#define PRIdMAX __paddock_64 "d"
#define PRIiMAX __paddock_64 "i"
#define PRIuMAX __paddock_64 "u"
#define PRIxMAX __paddock_64 "x"
#define PRIdPTR __paddock_pointer "d"
#define PRIuPTR __paddock_pointer "u"
#define PRIxPTR __paddock_pointer "x"
#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 __paddock_64 "d"
#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 __paddock_64 "u"
#define SCNx32 "x"
#define SCNx64 __paddock_64 "x"

typedef struct {
  intmax_t quot;
  intmax_t rem;
} imaxdiv_t;
intmax_t imaxabs(intmax_t number);
imaxdiv_t imaxdiv(intmax_t number, intmax_t divisor);
intmax_t strtoimax(const char *text, char **end, int base);
uintmax_t strtoumax(const char *text, char **end, int base);

#endif
