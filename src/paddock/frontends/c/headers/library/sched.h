#ifndef __paddock_sched
#define __paddock_sched

int sched_yield(void);

#endif
