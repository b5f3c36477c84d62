#ifndef __paddock_setjmp
#define __paddock_setjmp

typedef long jmp_buf[25];
int setjmp(jmp_buf place);
void longjmp(jmp_buf place, int result) __attribute__((__noreturn__));

#endif
