/* Time goes on, but nobody knows how fast. */

typedef __SIZE_TYPE__ size_t;
typedef long time_t;
int *__errno_location(void);
_Bool __paddock_nondet_bool(void);
int __paddock_nondet_int(void);
long __paddock_nondet_long(void);
void __paddock_any_bytes(void *start, size_t size);
void __paddock_assume(_Bool condition);

struct timeval { long tv_sec, tv_usec; };
struct timespec { long tv_sec, tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };

static long limited(long most) {
  long value = __paddock_nondet_long();
  __paddock_assume(value >= 0 && value <= most);
  return value;
}

#define LAST_YEAR_ENDS (sizeof(time_t) == 4 ? __LONG_MAX__ : 67768036191676799LL) /* the last that fits into an int */

time_t time(time_t *to) {
  time_t now = limited(LAST_YEAR_ENDS);
  if (to) *to = now;
  return now;
}

double difftime(time_t end, time_t start) { return (double)end - (double)start; }

int gettimeofday(struct timeval *to, void *zone) {
  to->tv_sec = limited(__LONG_MAX__);
  to->tv_usec = limited(999999);
  return 0;
}

static int any_time(struct timespec *to) {
  to->tv_sec = limited(__LONG_MAX__);
  to->tv_nsec = limited(999999999);
  return 0;
}

int clock_gettime(int clock, struct timespec *to) { return any_time(to); }

int timespec_get(struct timespec *to, int base) {
  any_time(to);
  return base;
}

int nanosleep(const struct timespec *wanted, struct timespec *left) {
  if (__paddock_nondet_bool()) return 0;
  if (left) any_time(left);
  *__errno_location() = 4; /* EINTR */
  return -1;
}

static char zone_text[8];

static void any_calendar(struct tm *to) {
  to->tm_sec = (int)limited(60);
  to->tm_min = (int)limited(59);
  to->tm_hour = (int)limited(23);
  to->tm_mday = 1 + (int)limited(30);
  to->tm_mon = (int)limited(11);
  to->tm_year = __paddock_nondet_int();
  to->tm_wday = (int)limited(6);
  to->tm_yday = (int)limited(365);
  to->tm_isdst = (int)limited(1);
  to->tm_gmtoff = limited(86400) - 43200;
  to->tm_zone = zone_text;
  __paddock_any_bytes(zone_text, sizeof zone_text);
  zone_text[sizeof zone_text - 1] = 0;
}

struct tm *gmtime_r(const time_t *time, struct tm *to) {
  if (*time > LAST_YEAR_ENDS || *time < -LAST_YEAR_ENDS) {
    *__errno_location() = 75; /* EOVERFLOW */
    return 0;
  }
  any_calendar(to);
  return to;
}


static struct tm shared_time;
struct tm *localtime_r(const time_t *time, struct tm *to) { return gmtime_r(time, to); }
struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared_time); }
struct tm *localtime(const time_t *time) { return gmtime_r(time, &shared_time); }

time_t mktime(struct tm *to) {
  if (__paddock_nondet_bool()) return -1;
  any_calendar(to);
  return __paddock_nondet_long();
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *time) {
  size_t length = __paddock_nondet_long();
  __paddock_assume(length <= room);
  if (length == room) return 0;
  __paddock_any_bytes(to, length);
  to[length] = 0;
  return length;
}

static char time_text[26];
static char *any_time_text(void) {
  __paddock_any_bytes(time_text, sizeof time_text);
  for (int n = 0; n < 24; n++) __paddock_assume(time_text[n] >= ' ' && time_text[n] <= '~');
  time_text[24] = '\n';
  time_text[25] = 0;
  return time_text;
}

char *ctime(const time_t *time) { return any_time_text(); }
char *asctime(const struct tm *time) { return any_time_text(); }
