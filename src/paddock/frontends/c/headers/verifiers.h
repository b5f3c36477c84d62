/* What other verifiers declare before a program begins. Each file is read as if it included this one.

   A function is overloadable so that a program may declare it again, with any parameters: its own declaration is then
   the better one. */
#include "refused.h"

#define __CPROVER__ 1

typedef _Bool __CPROVER_bool;
typedef __typeof__(sizeof 0) __CPROVER_size_t; /* what gcc has preprocessed knows no __SIZE_TYPE__ */
typedef __typeof__((char *)0 - (char *)0) __CPROVER_ssize_t;

#define _PADDOCK_KNOWN __attribute__((overloadable))

_PADDOCK_KNOWN void __CPROVER_assume(...);
_PADDOCK_KNOWN void __CPROVER_assert(...);
_PADDOCK_KNOWN void __CPROVER_precondition(...);
_PADDOCK_KNOWN void __CPROVER_postcondition(...);
_PADDOCK_KNOWN void __CPROVER_cover(...);
_PADDOCK_KNOWN void __CPROVER_input(...);
_PADDOCK_KNOWN void __CPROVER_output(...);
_PADDOCK_KNOWN void __CPROVER_printf(...);
_PADDOCK_KNOWN void __CPROVER_fence(...);
void __CPROVER_atomic_begin();
void __CPROVER_atomic_end();
_PADDOCK_KNOWN void __VERIFIER_assume(...);
void __VERIFIER_atomic_begin();
void __VERIFIER_atomic_end();

_PADDOCK_KNOWN _Bool __CPROVER_isnanf(...);
_PADDOCK_KNOWN _Bool __CPROVER_isnand(...);
_PADDOCK_KNOWN _Bool __CPROVER_isnanld(...);
_PADDOCK_KNOWN _Bool __CPROVER_isinff(...);
_PADDOCK_KNOWN _Bool __CPROVER_isinfd(...);
_PADDOCK_KNOWN _Bool __CPROVER_isinfld(...);
_PADDOCK_KNOWN _Bool __CPROVER_isfinitef(...);
_PADDOCK_KNOWN _Bool __CPROVER_isfinited(...);
_PADDOCK_KNOWN _Bool __CPROVER_isfiniteld(...);
_PADDOCK_KNOWN _Bool __CPROVER_isnormalf(...);
_PADDOCK_KNOWN _Bool __CPROVER_isnormald(...);
_PADDOCK_KNOWN _Bool __CPROVER_isnormalld(...);
_PADDOCK_KNOWN _Bool __CPROVER_signf(...);
_PADDOCK_KNOWN _Bool __CPROVER_signd(...);
_PADDOCK_KNOWN _Bool __CPROVER_signld(...);
_PADDOCK_KNOWN int __CPROVER_isgreaterf(...);
_PADDOCK_KNOWN int __CPROVER_isgreaterd(...);
_PADDOCK_KNOWN int __CPROVER_isgreaterequalf(...);
_PADDOCK_KNOWN int __CPROVER_isgreaterequald(...);
_PADDOCK_KNOWN int __CPROVER_islessf(...);
_PADDOCK_KNOWN int __CPROVER_islessd(...);
_PADDOCK_KNOWN int __CPROVER_islessequalf(...);
_PADDOCK_KNOWN int __CPROVER_islessequald(...);
_PADDOCK_KNOWN int __CPROVER_islessgreaterf(...);
_PADDOCK_KNOWN int __CPROVER_islessgreaterd(...);
_PADDOCK_KNOWN int __CPROVER_isunorderedf(...);
_PADDOCK_KNOWN int __CPROVER_isunorderedd(...);
double __CPROVER_inf();
float __CPROVER_inff();
long double __CPROVER_infl();
_PADDOCK_KNOWN int __CPROVER_abs(...);
_PADDOCK_KNOWN long __CPROVER_labs(...);
_PADDOCK_KNOWN long long __CPROVER_llabs(...);
_PADDOCK_KNOWN float __CPROVER_fabsf(...);
_PADDOCK_KNOWN double __CPROVER_fabs(...);
_PADDOCK_KNOWN long double __CPROVER_fabsl(...);
_PADDOCK_KNOWN float __CPROVER_fmodf(...);
_PADDOCK_KNOWN double __CPROVER_fmod(...);
_PADDOCK_KNOWN long double __CPROVER_fmodl(...);
_PADDOCK_KNOWN float __CPROVER_remainderf(...);
_PADDOCK_KNOWN double __CPROVER_remainder(...);
_PADDOCK_KNOWN long double __CPROVER_remainderl(...);

_PADDOCK_KNOWN _Bool __CPROVER_overflow_plus(...);
_PADDOCK_KNOWN _Bool __CPROVER_overflow_minus(...);
_PADDOCK_KNOWN _Bool __CPROVER_overflow_mult(...);
_PADDOCK_KNOWN _Bool __CPROVER_overflow_unary_minus(...);

_PADDOCK_KNOWN _Bool __CPROVER_same_object(...);
_PADDOCK_KNOWN __CPROVER_size_t __CPROVER_POINTER_OBJECT(...);
_PADDOCK_KNOWN __CPROVER_size_t __CPROVER_POINTER_OFFSET(...);
_PADDOCK_KNOWN __CPROVER_size_t __CPROVER_OBJECT_SIZE(...);
_PADDOCK_KNOWN _Bool __CPROVER_DYNAMIC_OBJECT(...);
_PADDOCK_KNOWN _Bool __CPROVER_LIVE_OBJECT(...);
_PADDOCK_KNOWN _Bool __CPROVER_r_ok(...);
_PADDOCK_KNOWN _Bool __CPROVER_w_ok(...);
_PADDOCK_KNOWN _Bool __CPROVER_rw_ok(...);
_PADDOCK_KNOWN void __CPROVER_havoc_object(...);
_PADDOCK_KNOWN void __CPROVER_havoc_slice(...);
_PADDOCK_KNOWN void __VERIFIER_nondet_memory(...);
_PADDOCK_KNOWN void *__CPROVER_allocate(...);
_PADDOCK_KNOWN void __CPROVER_deallocate(...);

/* What stands for the syntax of CBMC. */
enum { __CPROVER_implied, __CPROVER_all, __CPROVER_any };

/* The bits of one type as a value of another; clang's own says nothing of its type. */
#define __builtin_bit_cast(type, value) \
  (((union {                            \
     __typeof__((void)0, value) from;   \
     __typeof__(type) to;               \
   }){.from = (value)}).to)
