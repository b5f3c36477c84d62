#ifndef __paddock_stdnoreturn
#define __paddock_stdnoreturn
#define noreturn _Noreturn
#endif
