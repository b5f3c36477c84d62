"""Loops of C programs that run a constant number of times run to their end, whatever the types of counter and bound.

How often each of them runs is what a compiled program counts.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.driver.loading import load, text_source
from paddock.driver.pipeline import check, made_ready
from paddock.ir.expr import Lit
from paddock.ir.program import find_attribute
from paddock.options import Options
from paddock.report.result import Verdict

DECLARATIONS = """
#include <stddef.h>
#include <limits.h>
struct header { char first[20]; char second[20]; };
enum { FEW = 21 };
int array[20];
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void __VERIFIER_assert(int c) { if (!c) __assert_fail("c", "", 0, ""); }
"""

# Each counts its iterations in r.
LOOPS = [
    "for (int i = 0; i < sizeof array / sizeof array[0]; i++) r++;",
    "for (unsigned i = 0; i < 20ul; i++) r++;",
    "for (unsigned i = 0; i < offsetof(struct header, second); i++) r++;",
    "for (unsigned i = offsetof(struct header, second); i < 40; i++) r++;",
    "for (short i = 0; i < sizeof(struct header); i++) r++;",
    "for (unsigned char i = 0; i < 20; i++) r++;",
    "for (unsigned char i = 0; i < 20ull; i += 3) r++;",
    "for (unsigned char i = 250; i != 20; i++) r++;",
    "for (signed char i = 100; i > 0; i++) r++;",
    "for (signed char i = -20; i; i++) r++;",
    "for (long i = 19; i >= 0; i--) r++;",
    "for (unsigned long i = 19; i + 1 != 0; i--) r++;",
    "for (unsigned short i = 19; i-- > 0;) r++;",
    "for (short i = 30; --i;) r++;",
    "for (long i = 0; i < (int)FEW; i++) r++;",
    "for (int i = 0; i <= FEW; ++i) r++;",
    "for (unsigned i = 1; i; i <<= 1) r++;",
    "for (long long i = 1000000; i; i /= 2) r++;",
    "for (int i = -1000; i < -3; i = i * 3 / 4) r++;",
    "for (unsigned i = 1u << 31; i > 5; i >>= 1) r++;",
    "for (int i = 0; !(i >= 17u); i++) r++;",
    "for (int i = 0; (unsigned char)(i + 250) != 9; i++) r++;",
    "for (_Bool b = 1; b; b = r < 12) r++;",
    "for (int i = 0, j = 40; (long)i < (short)j; i++, j--) r++;",
    "for (int i = 0; i < 4; i++) for (unsigned char j = 0; j < 15u; j++) { if (i == 0) r++; }",
    "unsigned i = 0; while (i % 25 != 24) { i++; r++; }",
    "unsigned char i = 0; do { r++; i += 7; } while (i != 7 * 13);",
    "unsigned i = 0; for (;;) { if ((unsigned char)(i ^ 0x1f) == 0) break; i++; r++; }",
    "char c = 'a'; while (c <= 'z') { c++; r++; }",
]


def functions() -> str:
    return "".join(f"int f{n}(void) {{ int r = 0; {loop} return r; }}\n" for n, loop in enumerate(LOOPS))


def printed(text: str, folder: Path) -> list[int]:
    """The numbers that a compiled program prints."""
    source, binary = folder / "loops.c", folder / "loops"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", binary, source], check=True)
    return [int(line) for line in subprocess.run([binary], capture_output=True, check=True).stdout.split()]


@pytest.fixture(scope="module")
def iterations(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    calls = "".join(f'printf("%d\\n", f{n}());' for n in range(len(LOOPS)))
    text = f"#include <stdio.h>\n{DECLARATIONS}{functions()}int main(void) {{ {calls} }}"
    return printed(text, tmp_path_factory.mktemp("loops"))


def marks(text: str, options: Options) -> dict[str, list[int]]:
    """The numbers of iterations of the loops of a program that are known, by the function that they are in."""
    program = load([text_source(text, "loops.c")], options=options)
    found: dict[str, list[int]] = {}
    for procedure in made_ready(program, options).prepared.procedures:
        loop, mark = (find_attribute(procedure.attributes, name) for name in ("loop", "iterations"))
        if loop is not None and mark is not None:
            assert isinstance(loop.params[0], str)
            assert isinstance(mark.params[0], Lit) and isinstance(mark.params[0].value, int)
            found.setdefault(loop.params[0], []).append(mark.params[0].value)
    return found


@pytest.mark.parametrize("integers", ["bits", "math"])
def test_the_number_of_iterations(integers: str, iterations: list[int]) -> None:
    calls = " ".join(f"f{n}();" for n in range(len(LOOPS)))
    found = marks(f"{DECLARATIONS}{functions()}int main(void) {{ {calls} }}", Options.of(integers=integers))
    for n, (loop, count) in enumerate(zip(LOOPS, iterations, strict=True)):
        complete = count - loop.count("do {")  # the last does not come back to where the loop starts
        assert max(found.get(f"f{n}", [-1])) == complete, loop


@pytest.mark.parametrize("n", range(0, len(LOOPS), 4))
def test_a_bug_behind_the_loop_is_found(n: int, iterations: list[int]) -> None:
    for relation, expected in (("!=", Verdict.BUG), ("==", Verdict.PROVED)):
        condition = f"f{n}() {relation} {iterations[n]}"
        assert verdict(f"{DECLARATIONS}{functions()}int main(void) {{ __VERIFIER_assert({condition}); }}") is expected


def verdict(text: str) -> Verdict:
    options = Options()
    return check(load([text_source(text, "loops.c")], options=options), options).verdict


# What is called, and what comes of it as a compiled program has it: none of it is true within few iterations only.
STRINGS = [
    ('strlen("hello world")', ""),
    ("strlen(text)", 'char text[30] = "a rather long text";'),
    ('strlen(fruit) == 16 && !strcmp(fruit, "apples and pears")', ""),
    ('strcmp("a rather long text", "a rather long texts")', ""),
    ('memcmp(text, "a rather long text", 18)', 'char text[30] = "a rather long test";'),
    ('strncmp("a rather long text", "a rather long test", 16)', ""),
    ('strchr("a rather long text", 120) != 0', ""),
    ("strlen(copy)", 'char copy[30]; strcpy(copy, "a rather long text");'),
    ("strlen(copy)", "char copy[30]; memset(copy, 120, 19); copy[19] = 0;"),
    ("times(strlen(fruit))", ""),
    ("times(sizes.limit)", ""),
    ("times(local.limit)", "struct sizes local = {.limit = 14};"),
    ("times(constant)", "const unsigned char constant = 12;"),
    ("times(many[2])", ""),
]
CALLED = """
#include <string.h>
const char fruit[] = "apples and pears";
struct sizes { char name[4]; short limit; } sizes = {"abc", 13};
static const unsigned many[] = {1, 5, 17};
static int times(unsigned long n) { int r = 0; for (short i = 0; i < n; i++) r += 2; return r; }
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    calls = "".join(f'{{ {before} printf("%d\\n", (int)({call})); }}' for call, before in STRINGS)
    return printed(f"#include <stdio.h>\n{CALLED}int main(void) {{ {calls} }}", tmp_path_factory.mktemp("strings"))


@pytest.mark.parametrize("n", range(len(STRINGS)))
def test_loops_over_strings_and_constants_run_to_their_end(n: int, results: list[int]) -> None:
    call, before = STRINGS[n]
    # The model need not have the compiled program's number for a difference, but its sign.
    holds = f"{call} > 0" if results[n] > 0 else f"{call} < 0" if results[n] < 0 else f"{call} == 0"
    if "cmp" not in call:
        holds = f"(int)({call}) == {results[n]}"
    for condition, expected in ((f"!({holds})", Verdict.BUG), (holds, Verdict.PROVED)):
        text = f"{DECLARATIONS}{CALLED}int main(void) {{ {before} __VERIFIER_assert({condition}); }}"
        assert verdict(text) is expected


def test_a_loop_of_the_library_that_is_cut_off_is_named() -> None:
    text = f"""{DECLARATIONS}{CALLED}
        char nondet(void);
        int main(void) {{
          char text[12];
          for (int i = 0; i < 11; i++) text[i] = nondet();
          text[11] = 0;
          __VERIFIER_assert(strlen(text) != 11);
        }}"""
    options = Options()
    result = check(load([text_source(text, "loops.c")], options=options), options)
    assert result.verdict is Verdict.BUG or "strings.c" in result.reason
