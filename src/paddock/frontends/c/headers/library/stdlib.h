#ifndef __paddock_stdlib
#define __paddock_stdlib
#include <alloca.h>
#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 6

typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *reallocarray(void *block, size_t count, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void free(void *block);

void abort(void) __attribute__((__noreturn__));
void exit(int status) __attribute__((__noreturn__));
void _Exit(int status) __attribute__((__noreturn__));
void quick_exit(int status) __attribute__((__noreturn__));
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));

int abs(int number);
long labs(long number);
long long llabs(long long number);
div_t div(int number, int divisor);
ldiv_t ldiv(long number, long divisor);
lldiv_t lldiv(long long number, long long divisor);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
float strtof(const char *text, char **end);
double strtod(const char *text, char **end);
long double strtold(const char *text, char **end);

int rand(void);
void srand(unsigned int seed);
int rand_r(unsigned int *seed);
long random(void);
void srandom(unsigned int seed);
double drand48(void);

char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int system(const char *command);

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *array, size_t count, size_t size,
              int (*compare)(const void *, const void *));

int mblen(const char *text, size_t size);
int mbtowc(wchar_t *to, const char *text, size_t size);
int wctomb(char *to, wchar_t character);
size_t mbstowcs(wchar_t *to, const char *from, size_t size);
size_t wcstombs(char *to, const wchar_t *from, size_t size);

#endif
