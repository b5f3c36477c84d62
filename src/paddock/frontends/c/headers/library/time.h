#ifndef __paddock_time
#define __paddock_time
#include <stddef.h>
#include <sys/types.h>

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t end, time_t begin);
time_t mktime(struct tm *parts);
struct tm *gmtime(const time_t *when);
struct tm *localtime(const time_t *when);
struct tm *gmtime_r(const time_t *when, struct tm *parts);
struct tm *localtime_r(const time_t *when, struct tm *parts);
char *asctime(const struct tm *parts);
char *ctime(const time_t *when);
size_t strftime(char *to, size_t size, const char *format, const struct tm *parts);
int timespec_get(struct timespec *when, int base);
int clock_gettime(clockid_t clock, struct timespec *when);
int nanosleep(const struct timespec *duration, struct timespec *rest);

#endif
