/* May be included several times, with and without NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif

#ifndef __paddock_assert_h
#define __paddock_assert_h
void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
    __attribute__((__noreturn__));
#define static_assert _Static_assert
#endif
