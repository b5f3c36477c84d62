"""What programs get from the C library: each case is a fact that holds, and nearly the same that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Result, Verdict
from tests.integration.both_ways import check_both

HEAD = """
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
extern int nondet_int(void);
extern int unknown(int *place);
int compared(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
"""

CASES = {
    "errno is one object": (
        "errno = 4; int *p = &errno; assert(errno == 4 && *p == 4);",
        "errno = 4; assert(errno == 5);",
    ),
    "errno is zero at first": ("assert(errno == 0);", "errno = 1; assert(errno == 0);"),
    "strlen leaves errno alone": (
        'errno = 0; strlen("a"); assert(errno == 0);',
        'errno = 0; puts("a"); assert(!errno);',
    ),
    "errno never becomes zero": (
        'errno = 1; puts("a"); assert(errno);',
        "int x; errno = 1; unknown(&x); assert(errno);",
    ),
    "errors of sqrt": ("errno = 0; sqrt(4.0); assert(!errno);", "volatile double x = -4; sqrt(x); assert(!errno);"),
    "errors of fmod": (
        "errno = 0; fmod(4.0, 2.0); assert(!errno);",
        "volatile double x = 0; fmod(4.0, x); assert(!errno);",
    ),
}

# What is read may be anything that can be there, and is written within what the caller allows.
INPUTS = {
    "a line ends": (
        "char b[6]; if (fgets(b, 6, stdin)) { int n = strlen(b); assert(n < 6 && b[5 < n ? 5 : n] == 0); }",
        "char b[6]; if (fgets(b, 6, stdin)) { assert(strlen(b) < 5); }",
    ),
    "a line has one end": (
        "char b[4]; if (fgets(b, 4, stdin) && b[0] == 10) assert(b[1] == 0);",
        "char b[4]; if (fgets(b, 4, stdin) && b[1] == 10) assert(b[0] == 0);",
    ),
    "elements": (
        "int a[3] = {7, 7, 7}; size_t n = fread(a, sizeof(int), 2, stdin); assert(n <= 2 && a[2] == 7);",
        "int a[3] = {7, 7, 7}; size_t n = fread(a, sizeof(int), 2, stdin); assert(a[1] == 7);",
    ),
    "bytes": (
        "char b[4] = {1, 1, 1, 1}; int n = read(0, b, 3); assert(n >= -1 && n <= 3 && b[3] == 1);",
        "char b[4] = {1, 1, 1, 1}; int n = read(0, b, 3); assert(n < 3 || b[2] == 1);",
    ),
    "written": ('assert(fwrite("abc", 1, 3, stdout) <= 3);', 'assert(write(1, "abc", 3) == 3);'),
    "numbers by a format": (
        'int x = 5; int n = scanf("%d", &x); assert(n >= -1 && n <= 1 && (n == 1 || x == 5));',
        'int x = 5; scanf("%d", &x); assert(x == 5);',
    ),
    "words by a format": (
        'char b[4]; if (scanf("%3s", b) == 1) assert(b[0] && strlen(b) <= 3 && b[0] != 32);',
        'char b[4]; if (scanf("%3s", b) == 1) assert(strlen(b) < 3);',
    ),
    "the environment": (
        'char *v = getenv("HOME"); assert(!v || strnlen(v, 3) <= 3);',
        'char *v = getenv("HOME"); assert(v);',
    ),
    "time": ("time_t t, u = time(&t); assert(t == u && t >= 0);", "time_t t = time(0), u = time(0); assert(t == u);"),
    "the calendar": (
        "time_t t = time(0); struct tm *m = localtime(&t); assert(m->tm_mon >= 0 && m->tm_mon < 12);",
        "time_t t = time(0); struct tm *m = localtime(&t); assert(m->tm_hour < 23);",
    ),
    "squares": ("assert(pow(1.5, 2) == 2.25);", "volatile double x = 1.817; assert(pow(x, 2) == x * x);"),
    "small results": (
        "errno = 0; volatile double x = 1; exp(x); assert(errno == 0 || errno == ERANGE);",
        "errno = 0; volatile double x = -1000; exp(x); assert(errno == 0);",
    ),
    "the order of strings": (
        'assert(strcmp("c", "a") > 0 && memcmp("a", "b", 1) < 0);',
        'assert(strcmp("c", "a") == 2);',
    ),
    "a folder in memory of its own": (
        "char *p = getcwd(0, 4); assert(!p || strnlen(p, 4) < 4);",
        "assert(!getcwd(0, 4));",
    ),
    "two variables of the environment": (
        'char *a = getenv("A"); assert(!a || a == a);',
        'char *a = getenv("A"), *b = getenv("B"); assert(a == b);',
    ),
    "a calendar that is put right": (
        "struct tm t = {0}; t.tm_mday = 32; if (mktime(&t) != -1) assert(t.tm_mday <= 31);",
        "struct tm t = {0}; t.tm_mday = 32; mktime(&t); assert(t.tm_mday == 32);",
    ),
    "years that are too late": (
        "time_t t = 0; assert(gmtime(&t));",
        "time_t t = nondet_int() ? 0x7fffffffffffffff : 0; assert(gmtime(&t));",
    ),
    "texts of floats": (
        'char b[8]; int n = snprintf(b, 8, "%f", 1.5); assert(n > 0 && strlen(b) <= 7);',
        'char b[8]; snprintf(b, 8, "%f", 1.5); assert(strlen(b) < 7);',
    ),
}
CASES |= INPUTS

# What a function writes is checked as if the program wrote it.
OVERFLOWS = {
    "sprintf": ('char b[4]; sprintf(b, "%d", 999);', 'char b[4]; sprintf(b, "%d", 1000);'),
    "read": ("char b[4]; read(0, b, 4);", "char b[4]; read(0, b, 5);"),
    "fgets": ("char b[4]; fgets(b, 4, stdin);", "char b[4]; fgets(b, 5, stdin);"),
    "scanf": ('char b[4]; scanf("%3s", b);', 'char b[4]; scanf("%s", b);'),
    "sprintf of floats": ('char b[400]; sprintf(b, "%f", -1.0);', 'char b[23]; sprintf(b, "%a", -1.0);'),
    "qsort": (
        "int a[2] = {2, 1}; qsort(a, 2, 4, compared);",
        "int a[2] = {2, 1}; qsort(a, 3, 4, compared);",
    ),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_accesses_of_the_library_are_checked(name: str, tmp_path: Path) -> None:
    fits, overflows = OVERFLOWS[name]
    assert checked(fits, tmp_path, checks=("bounds", "pointer")).verdict is Verdict.PROVED
    assert checked(overflows, tmp_path, checks=("bounds", "pointer")).verdict is Verdict.BUG


def checked(text: str, tmp_path: Path, **options: object) -> Result:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}\nint main(void) {{ {text} return 0; }}\n")
    return pipeline.check_files([str(file)], Options.of(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_the_library(name: str, tmp_path: Path) -> None:
    check_both(HEAD, *CASES[name], tmp_path)


ROUNDING = {
    "narrower floats": (
        "volatile double d = 1.999999999999; fesetround(FE_DOWNWARD); float f = d; assert(f < 2);",
        "volatile double d = 1.999999999999; float f = d; assert(f < 2);",
    ),
    "integers": (
        "volatile int i = 16777217; fesetround(FE_UPWARD); float f = i, g = 16777217; assert(f == g && f > 16777217.);",
        "volatile int i = 16777217; fesetround(FE_UPWARD); fesetround(0); float f = i; assert(f > 16777217.0);",
    ),
    "arithmetic": (
        "volatile float x = 1; fesetround(FE_UPWARD); float u = x / 3; fesetround(FE_TOWARDZERO); assert(x / 3 < u);",
        "volatile float x = 1; fesetround(FE_TOWARDZERO); float u = x / 3; fesetround(FE_DOWNWARD); assert(x / 3 < u);",
    ),
    "signs of zero": (
        "volatile float x = 1; fesetround(FE_DOWNWARD); assert(signbit(x - x));",
        "volatile float x = 1; assert(signbit(x - x));",
    ),
    "integral": (
        "volatile float x = -2.5f; fesetround(FE_DOWNWARD); assert(rintf(x) == -3 && lrintf(x) == -3);",
        "volatile float x = -2.5f; fesetround(FE_UPWARD); assert(lrintf(x) == -3);",
    ),
    "modes are kept": (
        "fenv_t e; fesetround(0x800); fegetenv(&e); fesetround(0); fesetenv(&e); assert(fegetround() == 0x800);",
        "if (nondet_int()) fesetround(FE_UPWARD); fesetround(5); assert(fegetround() == FE_TONEAREST);",
    ),
}


@pytest.mark.parametrize("name", ROUNDING)
def test_the_rounding_mode(name: str, tmp_path: Path) -> None:
    check_both(HEAD, *ROUNDING[name], tmp_path)


@pytest.mark.parametrize("name", ["fetestexcept", "feenableexcept"])
def test_exceptions_of_floats_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"a call of {name} is not supported"):
        checked(f"int {name}(int); return {name}(FE_INEXACT);", tmp_path)


FAILING = {
    "malloc": ("char *p = malloc(4); if (p) *p = 1; free(p);", "char *p = malloc(4); *p = 1; free(p);"),
    "errno": ("if (!malloc(4)) assert(errno == ENOMEM);", "errno = 0; malloc(4); assert(!errno);"),
    "calloc": ("int *p = calloc(2, 4); assert(!p || p[1] == 0);", "int *p = calloc(2, 4); assert(p[1] == 0);"),
    "realloc": (
        "int *p = malloc(4); if (p) { *p = 3; int *q = realloc(p, 8); assert(q ? *q == 3 : *p == 3); }",
        "int *p = malloc(4); if (p) { p = realloc(p, 8); *p = 3; }",
    ),
    "strdup": ('char *s = strdup("a"); assert(!s || *s == 97);', 'char *s = strdup("a"); assert(s);'),
    "posix_memalign": (
        "void *p; if (!posix_memalign(&p, 8, 8)) *(long *)p = 3;",
        "void *p = 0; posix_memalign(&p, 8, 8); *(long *)p = 3;",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_allocation_may_fail(name: str, tmp_path: Path) -> None:
    check_both(HEAD, *FAILING[name], tmp_path, checks=("assert", "pointer"), malloc_may_fail=True)


def test_allocation_does_not_fail_unless_it_may(tmp_path: Path) -> None:
    assert checked("int *p = malloc(4); *p = 1;", tmp_path, checks=("pointer",)).verdict is Verdict.PROVED


UNKNOWN_CONVERSIONS = ['snprintf(b, 9, "%2$d %1$d", 1, 2);', 'snprintf(b, 9, "%ls", 0);', 'sscanf("1", "%1$d", &i);']


@pytest.mark.parametrize("text", UNKNOWN_CONVERSIONS)
def test_what_a_model_does_not_know_fails_whatever_is_checked(text: str, tmp_path: Path) -> None:
    found = checked(f"char b[9]; int i = 0; {text} return 1 / i;", tmp_path, checks=("div-by-zero",))
    assert found.counterexample is not None and "knows this conversion" in repr(found.counterexample)


CLASSES = [
    "float f = 0x1.fffffcp-127f; assert(!isnormal(f) && isnormal((double)f) && fpclassify(f) == FP_SUBNORMAL);",
    "long double l = 0x1p-16400L; assert(!isnormal(l) && fpclassify(l) == FP_SUBNORMAL && l > 0 && !((double)l > 0));",
    "float f = -INFINITY; assert(isinf(f) && !isfinite(f) && signbit(f) && __builtin_isinf_sign(f) == -1);",
    "float f = NAN; assert(isnan(f) && fpclassify(f) == FP_NAN && isunordered(f, 1.0) && !isless(f, 1.0L));",
    "float f = 0x1p-140f; double d = 0x1p-141; assert(isgreater(f, d) && islessgreater(f, 0) && isless(d, 1.0f));",
    "assert(__builtin_fpclassify(1, 2, 3, 4, 5, 0x1p-140f) == 4 && !__builtin_isnormal(0x1p-1060));",
]


@pytest.mark.parametrize("text", CLASSES)
def test_classes_of_floats_are_those_of_their_type(text: str, tmp_path: Path) -> None:
    assert checked(text, tmp_path).verdict is Verdict.PROVED
