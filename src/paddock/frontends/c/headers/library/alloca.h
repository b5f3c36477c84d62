#ifndef __paddock_alloca
#define __paddock_alloca
#define alloca(size) __builtin_alloca(size)
#endif
