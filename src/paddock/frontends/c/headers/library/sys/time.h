#ifndef __paddock_sys_time
#define __paddock_sys_time
#include <sys/types.h>

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
int gettimeofday(struct timeval *when, void *zone);

#endif
