/* The C library asks for single types by names that begin with __need; it gets them all. */
#ifndef __paddock_stddef
#define __paddock_stddef

typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

typedef struct {
  long long __largest_integer __attribute__((__aligned__(__alignof__(long long))));
  long double __largest_float __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;

#endif

#if defined __need_wint_t && !defined __paddock_wint
#define __paddock_wint
typedef __WINT_TYPE__ wint_t;
#endif

#undef __need_ptrdiff_t
#undef __need_size_t
#undef __need_wchar_t
#undef __need_wint_t
#undef __need_NULL
