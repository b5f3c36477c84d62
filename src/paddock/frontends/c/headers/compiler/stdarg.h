#ifndef __paddock_va_list
#define __paddock_va_list
typedef __builtin_va_list __gnuc_va_list;
#endif

/* The C library may ask for no more than the type. */
#ifdef __need___va_list
#undef __need___va_list
#elif !defined __paddock_stdarg
#define __paddock_stdarg
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define __va_copy(to, from) __builtin_va_copy(to, from)
#endif
