/* Words of other verifiers that are not functions and that mean nothing here. A use of one is an error that names it,
   whatever it does to the text around it. */
#define _PADDOCK_PRAGMA(text) _Pragma(#text)
#define __CPROVER_requires(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_requires is not supported")
#define __CPROVER_ensures(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_ensures is not supported")
#define __CPROVER_assigns(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_assigns is not supported")
#define __CPROVER_frees(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_frees is not supported")
#define __CPROVER_loop_invariant(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_loop_invariant is not supported")
#define __CPROVER_decreases(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_decreases is not supported")
#define __CPROVER_requires_contract(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_requires_contract is not supported")
#define __CPROVER_ensures_contract(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_ensures_contract is not supported")
#define __CPROVER_return_value _PADDOCK_PRAGMA(GCC error "__CPROVER_return_value is not supported") 0
#define __CPROVER_old(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_old is not supported") 0
#define __CPROVER_loop_entry(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_loop_entry is not supported") 0
#define __CPROVER_typed_target(...) _PADDOCK_PRAGMA(GCC error "__CPROVER_typed_target is not supported") 0
#define __CPROVER_bitvector _PADDOCK_PRAGMA(GCC error "__CPROVER_bitvector is not supported") int
#define __CPROVER_fixedbv _PADDOCK_PRAGMA(GCC error "__CPROVER_fixedbv is not supported") int
#define __CPROVER_floatbv _PADDOCK_PRAGMA(GCC error "__CPROVER_floatbv is not supported") int
#define __CPROVER_integer _PADDOCK_PRAGMA(GCC error "__CPROVER_integer is not supported") int
#define __CPROVER_natural _PADDOCK_PRAGMA(GCC error "__CPROVER_natural is not supported") int
#define __CPROVER_rational _PADDOCK_PRAGMA(GCC error "__CPROVER_rational is not supported") int
#define __CPROVER_real _PADDOCK_PRAGMA(GCC error "__CPROVER_real is not supported") int
#define __CPROVER_string _PADDOCK_PRAGMA(GCC error "__CPROVER_string is not supported") int
#define __CPROVER_Float16 _PADDOCK_PRAGMA(GCC error "__CPROVER_Float16 is not supported") float
#define __CPROVER_Float64x _PADDOCK_PRAGMA(GCC error "__CPROVER_Float64x is not supported") double
#define __CPROVER_Float80 _PADDOCK_PRAGMA(GCC error "__CPROVER_Float80 is not supported") double
#define __CPROVER_Float128 _PADDOCK_PRAGMA(GCC error "__CPROVER_Float128 is not supported") double
#define __CPROVER_thread_local _PADDOCK_PRAGMA(GCC error "__CPROVER_thread_local is not supported")
#define __CPROVER_rounding_mode _PADDOCK_PRAGMA(GCC error "__CPROVER_rounding_mode is not supported") 0
#define __CPROVER_fpu_control_word _PADDOCK_PRAGMA(GCC error "__CPROVER_fpu_control_word is not supported") 0
#define __CPROVER_thread_id _PADDOCK_PRAGMA(GCC error "__CPROVER_thread_id is not supported") 0
#define __CPROVER_dead_object _PADDOCK_PRAGMA(GCC error "__CPROVER_dead_object is not supported") 0
#define __CPROVER_deallocated _PADDOCK_PRAGMA(GCC error "__CPROVER_deallocated is not supported") 0
#define __CPROVER_memory _PADDOCK_PRAGMA(GCC error "__CPROVER_memory is not supported") 0
#define __CPROVER_memory_leak _PADDOCK_PRAGMA(GCC error "__CPROVER_memory_leak is not supported") 0
#define __CPROVER_alloca_object _PADDOCK_PRAGMA(GCC error "__CPROVER_alloca_object is not supported") 0
#define __CPROVER_new_object _PADDOCK_PRAGMA(GCC error "__CPROVER_new_object is not supported") 0
#define __CPROVER_malloc_size _PADDOCK_PRAGMA(GCC error "__CPROVER_malloc_size is not supported") 0
#define __CPROVER_malloc_object _PADDOCK_PRAGMA(GCC error "__CPROVER_malloc_object is not supported") 0
#define __CPROVER_malloc_is_new_array _PADDOCK_PRAGMA(GCC error "__CPROVER_malloc_is_new_array is not supported") 0
#define __CPROVER_malloc_may_fail _PADDOCK_PRAGMA(GCC error "__CPROVER_malloc_may_fail is not supported") 0
#define __CPROVER_malloc_failure_mode _PADDOCK_PRAGMA(GCC error "__CPROVER_malloc_failure_mode is not supported") 0
#define __CPROVER_max_malloc_size _PADDOCK_PRAGMA(GCC error "__CPROVER_max_malloc_size is not supported") 0
#define __CPROVER_constant_infinity_uint _PADDOCK_PRAGMA(GCC error "__CPROVER_constant_infinity_uint is not supported") 0
#define __CPROVER_architecture_ _PADDOCK_PRAGMA(GCC error "__CPROVER_architecture_ is not supported") 0
#define __CPROVER_threads_exited _PADDOCK_PRAGMA(GCC error "__CPROVER_threads_exited is not supported") 0
#define __CPROVER_next_thread_id _PADDOCK_PRAGMA(GCC error "__CPROVER_next_thread_id is not supported") 0
