"""Names that are reserved for verifiers and compilers: each means what it does there, or is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.frontends.c.written_models import builtins, defined
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict
from tests.integration.both_ways import check_both

HEAD = """
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float();
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void *malloc(unsigned long);
void free(void *);
"""


def verdict(text: str, tmp_path: Path, *checks: str) -> Verdict:
    (tmp_path / "a.c").write_text(text)
    return pipeline.check_files([str(tmp_path / "a.c")], Options.of(checks=checks or ("assert",))).verdict


def in_main(body: str) -> str:
    return f"{HEAD}int main(void) {{\n{body}\n}}\n"


# What a program asserts that always holds, and the same with what fails.
HOLDS = [
    ('__CPROVER_assert(x == x, "")', '__CPROVER_assert(x == 3, "")'),
    ('__CPROVER_assume(x > 3); __CPROVER_assert(x > 2, "")', '__CPROVER_assume(x > 1); __CPROVER_assert(x > 2, "")'),
    ('__CPROVER_precondition(x | 1, "")', '__CPROVER_precondition(x, "")'),
    ('__CPROVER_postcondition(&x != 0, "")', '__CPROVER_postcondition(0.0 * x, "")'),
    ("__CPROVER_cover(x)", '__CPROVER_cover(x); __CPROVER_assert(x, "")'),
    (
        '__CPROVER_input("x", x); __CPROVER_output("x", x); __CPROVER_printf("%d", x)',
        '__CPROVER_printf("%d", x = 0); __CPROVER_assert(x, "")',
    ),
    (
        '__CPROVER_atomic_begin(); int y = x; __CPROVER_atomic_end(); __CPROVER_assert(x == y, "")',
        '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); __CPROVER_assert(x, "")',
    ),
    (
        '__CPROVER_bool b = x; __CPROVER_assert(b <= 1 && sizeof(__CPROVER_size_t) == sizeof(long), "")',
        '__CPROVER_bool b = x; __CPROVER_assert(b == x, "")',
    ),
    ('__CPROVER_assert(__CPROVER_isnanf(0.0f / 0.0f), "")', '__CPROVER_assert(!__CPROVER_isnanf(f), "")'),
    (
        '__CPROVER_assert(!__CPROVER_isnormalf(1e-40f) && __CPROVER_isnormald(1e-40), "")',
        '__CPROVER_assert(__CPROVER_isnormalf(f) || f == 0 || !__CPROVER_isfinitef(f), "")',
    ),
    (
        '__CPROVER_assert(__CPROVER_isinfd(__CPROVER_inf()) == 1 && __CPROVER_isinff(-1 / 0.0f) == 1, "")',
        '__CPROVER_assert(!__CPROVER_isinff(f), "")',
    ),
    (
        '__CPROVER_assert(__CPROVER_signd(-0.0) && !__CPROVER_signf(0.0f), "")',
        '__CPROVER_assert(__CPROVER_signf(f) == (f < 0), "")',
    ),
    (
        '__CPROVER_assert(__CPROVER_isunorderedf(f, 1) == (f != f), "")',
        '__CPROVER_assert(__CPROVER_isgreaterf(f, 1) || __CPROVER_islessequalf(f, 1), "")',
    ),
    (
        '__CPROVER_assert(__CPROVER_overflow_plus(x, 1) == (x == 2147483647), "")',
        '__CPROVER_assert(!__CPROVER_overflow_unary_minus(x), "")',
    ),
    (
        '__CPROVER_assert(__CPROVER_overflow_mult(1 << 20, 1 << 20) && !__CPROVER_overflow_minus(2, 1), "")',
        '__CPROVER_assert(!__CPROVER_overflow_minus(x, 1u), "")',
    ),
    ('__CPROVER_assert(__CPROVER_fabs(-2.5) == 2.5, "")', '__CPROVER_assert(__CPROVER_abs(x) >= 0, "")'),
    (
        '__CPROVER_assert(__builtin_rotateleft32(0x80000001u, 33) == 3, "")',
        '__CPROVER_assert(__builtin_rotateright8(x, 1) == (x & 0xff) / 2, "")',
    ),
    (
        '__CPROVER_assert(__builtin_rotateright16(__builtin_rotateleft16(x, 5), 21) == (unsigned short)x, "")',
        '__CPROVER_assert(__builtin_rotateleft64(x, 0) != x, "")',
    ),
    (
        '__CPROVER_assert(__builtin_bitreverse8(1) == 128 && __builtin_bitreverse32(2) == 1u << 30, "")',
        '__CPROVER_assert(__builtin_bitreverse16(x) != 1, "")',
    ),
    (
        '__CPROVER_assert(__builtin_clzg(c, 9) == (c ? __builtin_clz(c) - 24 : 9) && __builtin_popcountg(c) <= 8, "")',
        '__CPROVER_assert(__builtin_ctzg(c, 8) < 8, "")',
    ),
    (
        '__CPROVER_assert(__builtin_bit_cast(int, 1.5f) == 0x3fc00000, "")',
        '__CPROVER_assert(__builtin_bit_cast(float, x) == x, "")',
    ),
    (
        '__CPROVER_assert(__builtin_bit_cast(long, __builtin_bit_cast(double, 7l)) == 7, "")',
        '__CPROVER_assert(__builtin_bit_cast(unsigned, x++) != 7 || x != 8, "")',
    ),
    ('#ifdef __CPROVER__\n__CPROVER_assert(1, "")\n#else\nabort(\n#endif\n', '__CPROVER_assert(!__CPROVER__, "")'),
]

OBJECTS = """
struct s { char a; int b; long c; };
static struct s t = {1, 2, 3};
static int g[4] = {1, 2, 3, 4}, h = 5;
static int *ended(void) { int local = 3; return &local; }
"""
# The same about objects: CBMC 6.6 says so, too, but for what has been freed, which it takes for unknown.
ABOUT_OBJECTS = [
    ("__CPROVER_same_object(g, g + 3) && !__CPROVER_same_object(g, &h)", "__CPROVER_same_object(&t, g)"),
    ("__CPROVER_POINTER_OFFSET(g + 2) == 8 && __CPROVER_POINTER_OFFSET(&t.b) == 4", "!__CPROVER_POINTER_OFFSET(g + x)"),
    (
        "__CPROVER_POINTER_OBJECT(&t.b) == __CPROVER_POINTER_OBJECT(&t) && !__CPROVER_POINTER_OBJECT((void *)0)",
        "__CPROVER_POINTER_OBJECT(g) == __CPROVER_POINTER_OBJECT(&h)",
    ),
    ("__CPROVER_OBJECT_SIZE(g + 1) == 16 && __CPROVER_OBJECT_SIZE(m) == 12", "!__CPROVER_OBJECT_SIZE((void *)0)"),
    ("__CPROVER_DYNAMIC_OBJECT(m + 1) && !__CPROVER_DYNAMIC_OBJECT(g)", "__CPROVER_DYNAMIC_OBJECT(&x)"),
    ("__CPROVER_r_ok(g, 16) && !__CPROVER_r_ok(g, 17) && __CPROVER_r_ok(g + 4, 0)", "__CPROVER_r_ok(g, x)"),
    ("__CPROVER_w_ok(&g[3]) && !__CPROVER_w_ok(g + 4) && !__CPROVER_w_ok((int *)0)", "__CPROVER_w_ok(m + 3)"),
    ("__CPROVER_rw_ok(m, 12) && (free(m), !__CPROVER_rw_ok(m, 1))", "(free(m), __CPROVER_r_ok(m, 1))"),
    ("!__CPROVER_r_ok(ended(), 4) && !__CPROVER_r_ok(g - 1, 1)", "__CPROVER_r_ok(ended(), 4)"),
    (
        "(__CPROVER_havoc_object(g + 1), __CPROVER_havoc_object(&t), h == 5)",
        "(__CPROVER_havoc_object(g), g[3] == 4)",
    ),
    ("(__CPROVER_havoc_object(&x), h == 5)", "(__CPROVER_havoc_object(&t.b), t.a == 1)"),
    ("(__CPROVER_havoc_slice(&g[1], 8), g[0] == 1 && g[3] == 4)", "(__CPROVER_havoc_slice(&g[1], 8), g[2] == 3)"),
    ("(__CPROVER_havoc_slice(&t.b, 4), t.a == 1 && t.c == 3)", "(__CPROVER_havoc_slice(&g[1], 16), 1)"),
    ("(__VERIFIER_nondet_memory(g, 4), g[1] == 2)", "(__CPROVER_havoc_slice(&t.b, (x & 7) + 5), t.c == 3)"),
    ("(m = __CPROVER_allocate(8, 1), m[0] == 0 && m[1] == 0)", "(m = __CPROVER_allocate(8, 0), m[1] == 0)"),
    ("(__CPROVER_deallocate(m), !__CPROVER_r_ok(m))", "(m = __CPROVER_allocate(8, 1), __CPROVER_r_ok(m, 9))"),
]


@pytest.mark.parametrize(("holds", "fails"), ABOUT_OBJECTS, ids=[holds[:60] for holds, _ in ABOUT_OBJECTS])
def test_objects_are_what_they_are_in_cbmc(holds: str, fails: str, tmp_path: Path) -> None:
    inputs = "int x = __VERIFIER_nondet_int(), *m = malloc(12);"
    conditions = (f'__CPROVER_assert({condition}, "")' for condition in (holds, fails))
    check_both(HEAD + OBJECTS, *conditions, tmp_path, inputs)


@pytest.mark.parametrize(("holds", "fails"), HOLDS, ids=[holds[:60] for holds, _ in HOLDS])
def test_what_is_known_means_what_it_does_elsewhere(holds: str, fails: str, tmp_path: Path) -> None:
    inputs = "int x = __VERIFIER_nondet_int(); float f = __VERIFIER_nondet_float(); unsigned char c = x;\n"
    check_both(HEAD, holds, fails, tmp_path, inputs)


# A name, and a use of it that is not supported.
REFUSED = [
    ("__CPROVER_frobnicate", "__CPROVER_frobnicate(x);"),
    ("__CPROVER_uninterpreted_f", "int y = __CPROVER_uninterpreted_f(x);"),
    ("__CPROVER_k_induction_hint", "__CPROVER_k_induction_hint(1, 2, 3, 4);"),
    ("__CPROVER_initialize", "__CPROVER_initialize();"),
    ("__CPROVER_bitvector", "__CPROVER_bitvector[13] y;"),
    ("__CPROVER_fixedbv", "__CPROVER_fixedbv[32][16] y;"),
    ("__CPROVER_floatbv", "typedef __CPROVER_floatbv[16][10] half;"),
    ("__CPROVER_rational", "__CPROVER_rational y;"),
    ("__CPROVER_rounding_mode", "__CPROVER_rounding_mode = 1;"),
    ("__CPROVER_loop_invariant", "while (x) __CPROVER_loop_invariant(x > 0) { x--; }"),
    ("__CPROVER_assert", "__CPROVER_assert();"),
    ("__CPROVER_isnanf", "__CPROVER_isnanf(1.0f, x);"),
    ("__CPROVER_fmod", "__CPROVER_fmod(1.0);"),
    ("__builtin___isnan", "__builtin___isnan(1.0);"),
    ("__builtin_wrapping_add", "__builtin_wrapping_add(x, 1);"),
    ("__builtin_assert", "__builtin_assert(x);"),
    ("__CPROVER_ASYNC_1", "__CPROVER_ASYNC_1: x = 1;"),
    ("__VERIFIER_nondet_frob", "__VERIFIER_nondet_frob();"),
    ("__VERIFIER_nondet_long", "long y = __VERIFIER_nondet_long();"),
    ("__VERIFIER_frob", "__VERIFIER_frob(x);"),
    ("__VERIFIER_atomic_frob", "__VERIFIER_atomic_frob();"),
    ("__SMACK_code", '__SMACK_code("assert x;");'),
    ("__builtin_frob", "__builtin_frob(x);"),
    ("__builtin_return_address", "void *p = __builtin_return_address(0);"),
    ("__builtin_sinh", "double d = __builtin_sinh(x);"),
    ("__builtin_ia32_pause", "__builtin_ia32_pause();"),
    ("__builtin_clzg", "__builtin_clzg(1.5);"),
    ("__sync_frob", "__sync_frob(&x);"),
    ("__CPROVER_r_ok", "void *p = &x; __CPROVER_r_ok(p);"),
    ("__CPROVER_same_object", "__CPROVER_same_object(free, &x);"),
    ("__CPROVER_OBJECT_SIZE", "__CPROVER_OBJECT_SIZE(x);"),
    ("__CPROVER_array_set", "int a[3]; __CPROVER_array_set(a, 1);"),
    ("__atomic_frob", "__atomic_frob(&x);"),
    ("__atomic_compare_exchange", "float f = 0, g = 0; __atomic_compare_exchange(&f, &g, &g, 0, 5, 5);"),
    ("__scoped_atomic_fetch_add", "__scoped_atomic_fetch_add(&x, 1, 5, 1);"),
]


@pytest.mark.parametrize(("name", "use"), REFUSED, ids=[name for name, _ in REFUSED])
def test_what_is_not_known_is_refused_by_name(name: str, use: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        verdict(in_main(f"int x = 0;\n{use}"), tmp_path)
    first = caught.value.diagnostics[0]
    assert name in str(first) and first.origin.line == 10


def test_contracts_are_refused_where_they_stand(tmp_path: Path) -> None:
    words = ("requires", "ensures", "assigns", "frees")
    clauses = "\n".join(f"__CPROVER_{word}(x > 0)" for word in words)
    with pytest.raises(InputError) as caught:
        verdict(f"int f(int x)\n{clauses}\n{{ return x; }}\nint main(void) {{ return f(1); }}", tmp_path)
    assert [d.message for d in caught.value.diagnostics] == [f"__CPROVER_{word} is not supported" for word in words]
    assert [d.origin.line for d in caught.value.diagnostics] == [2, 3, 4, 5]


def test_a_program_may_define_and_declare_such_names(tmp_path: Path) -> None:
    own = """
    #define __CPROVER_requires(condition)
    typedef unsigned long __CPROVER_size_t;
    extern void __CPROVER_assume(int);
    void __CPROVER_assert(_Bool, const char *);
    static int count;
    void __VERIFIER_assert(int condition) { if (!condition) count = 7; }
    int __CPROVER_mine(int x) __CPROVER_requires(x > 0) { return x + 1; }
    static void __VERIFIER_atomic_add(int x) { count += x; }
    """
    text = own + in_main("__VERIFIER_assert(0); __VERIFIER_atomic_add(1); count += __CPROVER_mine(1); %s;")
    assert verdict(text % '__CPROVER_assume(count); __CPROVER_assert(count == 10, "")', tmp_path) is Verdict.PROVED
    assert verdict(text % '__CPROVER_assert(count == 9, "")', tmp_path) is Verdict.BUG


def test_what_is_not_reached_is_not_refused(tmp_path: Path) -> None:
    text = f"static void unused(void) {{ __CPROVER_frobnicate(); }}\n{in_main('')}"
    assert verdict(text, tmp_path) is Verdict.PROVED


def test_the_zeros_of_zero_are_a_check_and_not_known(tmp_path: Path) -> None:
    count = in_main("unsigned x = __VERIFIER_nondet_int(); int n = __builtin_c%sz%s(x%s);")
    for kind, size in (("l", ""), ("t", ""), ("l", "ll"), ("t", "l")):
        assert verdict(count % (kind, size, ""), tmp_path, "bit-count") is Verdict.BUG
        assert verdict(count % (kind, size, " | 1"), tmp_path, "bit-count") is Verdict.PROVED
        assert verdict(count % (kind, size, ""), tmp_path) is Verdict.PROVED
    for counted in ("popcount", "parity", "ffs"):
        assert verdict(in_main(f"int n = __builtin_{counted}(0);"), tmp_path, "all") is Verdict.PROVED
    undefined = '__CPROVER_assert(__builtin_clz(x) == 32 || x, "");'
    assert verdict(in_main(f"unsigned x = __VERIFIER_nondet_int(); {undefined}"), tmp_path) is Verdict.BUG


def test_builtins_of_the_library_have_models() -> None:
    assert builtins() >= {"strlen", "memcmp", "isdigit"}
    assert defined() >= builtins()


def test_a_function_may_be_declared_to_return_what_it_does_not(tmp_path: Path) -> None:
    text = "int __CPROVER_assume(int);\nint __VERIFIER_assert(int);\nint kfree(void *);\n"
    body = "int x = __CPROVER_assume(1) + kfree(malloc(4)); %s(x == x);"
    assert verdict(text + in_main(body % "__VERIFIER_assert"), tmp_path) is Verdict.PROVED
    body = "int x = __CPROVER_assume(1); __VERIFIER_assert(x == 0);"
    assert verdict(text + in_main(body), tmp_path) is Verdict.BUG
