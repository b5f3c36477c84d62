/* What a C program says to Paddock. */
#ifndef PADDOCK_H
#define PADDOCK_H

/* An assertion to check; only executions on which the condition holds; a place that must not be reached. */
void __paddock_assert(_Bool condition);
void __paddock_assume(_Bool condition);
void __paddock_error(void);

/* Arbitrary values. */
_Bool __paddock_nondet_bool(void);
char __paddock_nondet_char(void);
signed char __paddock_nondet_schar(void);
unsigned char __paddock_nondet_uchar(void);
short __paddock_nondet_short(void);
unsigned short __paddock_nondet_ushort(void);
int __paddock_nondet_int(void);
unsigned int __paddock_nondet_uint(void);
long __paddock_nondet_long(void);
unsigned long __paddock_nondet_ulong(void);
long long __paddock_nondet_longlong(void);
unsigned long long __paddock_nondet_ulonglong(void);
__SIZE_TYPE__ __paddock_nondet_size_t(void);
float __paddock_nondet_float(void);
double __paddock_nondet_double(void);
void *__paddock_nondet_pointer(void);

#endif
