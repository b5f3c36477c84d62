"""Regions in C: every operation means in C what it means in Boogie, and what has no counterpart is refused."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import paddock
from paddock import Options, Result, Verdict
from paddock.search.regions.c_text import NotInC, assertion_lines, c_text

WIDTHS = (8, 16, 32, 64)
NUMBERS = random.Random(7)


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def quotient(a: int, b: int) -> int:
    """Towards zero."""
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


def sdiv(a: int, b: int, n: int) -> int:
    a, b = signed(a, n), signed(b, n)
    return (1 if a < 0 else -1) if b == 0 else quotient(a, b)


def srem(a: int, b: int, n: int) -> int:
    x, y = signed(a, n), signed(b, n)
    return x if y == 0 else x - quotient(x, y) * y


# What the standard of SMT-LIB says of them.
MEANINGS: dict[str, Callable[[int, int, int], int]] = {
    "bvadd": lambda a, b, n: a + b,
    "bvsub": lambda a, b, n: a - b,
    "bvmul": lambda a, b, n: a * b,
    "bvand": lambda a, b, n: a & b,
    "bvor": lambda a, b, n: a | b,
    "bvxor": lambda a, b, n: a ^ b,
    "bvudiv": lambda a, b, n: a // b if b else -1,
    "bvurem": lambda a, b, n: a % b if b else a,
    "bvsdiv": sdiv,
    "bvsrem": srem,
    "bvshl": lambda a, b, n: a << b if b < n else 0,
    "bvlshr": lambda a, b, n: a >> b if b < n else 0,
    "bvashr": lambda a, b, n: signed(a, n) >> min(b, n),
    "bvult": lambda a, b, n: a < b,
    "bvule": lambda a, b, n: a <= b,
    "bvugt": lambda a, b, n: a > b,
    "bvuge": lambda a, b, n: a >= b,
    "bvslt": lambda a, b, n: signed(a, n) < signed(b, n),
    "bvsle": lambda a, b, n: signed(a, n) <= signed(b, n),
    "bvsgt": lambda a, b, n: signed(a, n) > signed(b, n),
    "bvsge": lambda a, b, n: signed(a, n) >= signed(b, n),
}


def operations(width: int) -> str:
    """A program that asserts what each operation gives for many operands, which it is told in variables."""
    lines, functions = [], []
    values = [0, 1, 2, 7, width - 1, width, 1 << (width - 1), (1 << width) - 1, (1 << (width - 1)) - 1]
    values += [NUMBERS.getrandbits(width) for _ in range(4)]
    for name, meaning in MEANINGS.items():
        is_test = name[2:] in ("ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
        result = "bool" if is_test else f"bv{width}"
        functions.append(f'function {{:bvbuiltin "{name}"}} {name}(a: bv{width}, b: bv{width}): {result};')
        for a in values:
            for b in values:
                expected = meaning(a, b, width)
                told = str(bool(expected)).lower() if is_test else f"{expected % (1 << width)}bv{width}"
                lines.append(f"x, y := {a}bv{width}, {b}bv{width}; assert {name}(x, y) == {told};")
    functions.append(f'function {{:bvbuiltin "bvneg"}} neg(a: bv{width}): bv{width};')
    functions.append(f'function {{:bvbuiltin "bvnot"}} flip(a: bv{width}): bv{width};')
    for a in values:
        lines.append(f"x := {a}bv{width}; assert neg(x) == {-a % (1 << width)}bv{width};")
        lines.append(f"x := {a}bv{width}; assert flip(x) == {~a % (1 << width)}bv{width};")
    text = "\n".join(lines)
    return "\n".join(functions) + f"\nprocedure main() {{ var x, y: bv{width};\n{text}\n}}"


EXTENSIONS = """
function {:builtin "(_ sign_extend 24)"} signed(a: bv8): bv32;
function {:builtin "(_ zero_extend 8)"} unsigned(a: bv8): bv16;
procedure main() {
  var x: bv8; var y: bv32; var z: bv16;
  x := 200bv8; y := 305419896bv32; z := 4660bv16;
  assert signed(x) == 4294967240bv32;
  assert unsigned(x) == 200bv16;
  assert y[16:8] == 86bv8;
  assert y[32:16] == 4660bv16;
  assert x ++ x == 51400bv16;
  assert z ++ z == 305402420bv32;
  assert (if x == 200bv8 then z else 0bv16) == z;
  assert x == 200bv8 ==> (z != 0bv16 <==> true);
}
"""

FAKE = """
#include <stdlib.h>
static int failed;
#define __CPROVER__
#define __CPROVER_assert(condition, id) ((condition) ? (void)0 : (void)(failed = 1))
#define __CPROVER_assume(condition) ((condition) ? (void)0 : exit(2))
#define main region_main
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
@pytest.mark.parametrize("text", [*map(operations, WIDTHS), EXTENSIONS], ids=[*map(str, WIDTHS), "extensions"])
def test_operations(text: str, tmp_path: Path) -> None:
    written = c_text(paddock.load(text))
    nondet = "\n".join(f"u{n} nondet_u{n}(void) {{ return 0; }}" for n in WIDTHS)
    file = tmp_path / "region.c"
    file.write_text(
        f"{FAKE}\n{written}\n{nondet}\n_Bool nondet_bool(void) {{ return 0; }}\n#undef main\n"
        "int main(void) { region_main(); return failed; }\n"
    )
    subprocess.run(["gcc", "-O1", "-w", "-o", tmp_path / "region", file], check=True)
    assert subprocess.run([tmp_path / "region"], check=False).returncode == 0
    # And there is something to fail.
    assert "__CPROVER_assert" in written


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
def test_a_compiler_knows_all_that_is_used(tmp_path: Path) -> None:
    file = tmp_path / "region.c"
    file.write_text(c_text(paddock.load(PROGRAM)))
    subprocess.run(["gcc", "-Wall", "-Wno-unused", "-Werror", "-c", "-o", tmp_path / "region.o", file], check=True)


PROGRAM = """
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool;
function {:bvbuiltin "bvadd"} plus(a: bv8, b: bv8): bv8;
var g: bv8;
var b: bool;
procedure main(n: bv8) returns (r: bv8) modifies g, b; {
  var x, y: bv8;
  assert {:id "0"} g == 0bv8;
  g := 3bv8; x, y := 1bv8, 2bv8;
  x, y := y, x;
  assert {:id "1"} x == 2bv8 && y == 1bv8;
  call x, g := Two(g);
  assert {:id "2"} x == 4bv8 && g == 5bv8;
  call Any();
  assert {:id "3"} g == 5bv8;
  assert {:id "4"} x == 4bv8;
  while (less(y, 9bv8)) { y := plus(y, 1bv8); }
  assert {:id "5"} y == 9bv8;
  havoc y; assume less(y, n);
  assert {:id "6"} n != 0bv8;
  assert {:id "7"} b;
  call y := Down(y);
  assert {:id "8"} y == 0bv8;
}
procedure Two(a: bv8) returns (c: bv8, d: bv8) { c := plus(a, 1bv8); d := plus(c, 1bv8); }
procedure Any() ; modifies g;
procedure Down(a: bv8) returns (c: bv8) { if (a == 0bv8) { c := a; } else { call c := Down(plus(a, 255bv8)); } }
"""


def violated(result: Result) -> list[int]:
    return [n for n, assertion in enumerate(result.assertions) if assertion.verdict is Verdict.BUG]


def test_a_program_means_the_same_in_c(tmp_path: Path) -> None:
    options = Options(all_assertions=True, recursion_bound=12, timeout=60)
    program = paddock.load(PROGRAM)
    file = tmp_path / "region.c"
    file.write_text(c_text(program))
    assert violated(paddock.check(program, options)) == [0, 3, 7]
    assert violated(paddock.check(paddock.load(file), options)) == [0, 3, 7]
    assert sorted(assertion_lines(file.read_text()).values()) == list("012345678")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("procedure main() { var x: int; assert x > 0; }", "the type int"),
        ("procedure main() { var m: [bv8]bv8; assert m[0bv8] == 0bv8; }", r"the type \\[bv8\\]bv8"),
        ("procedure main() { var x: bv7; assert x == 0bv7; }", "the type bv7"),
        ("const c: bv8; procedure main() { assert c == 0bv8; }", "c is a constant"),
        ("const c: bv8; axiom c == 1bv8; procedure main() { assert c == 0bv8; }", "axioms"),
        ("function f(x: bv8): bv8; procedure main(x: bv8) { assert f(x) == 0bv8; }", "the function f"),
        ("procedure main(x: bv8) { assert (forall y: bv8 :: x == y); }", "counterpart of"),
        ("var g: bv8; procedure main() { assert g == old(g); }", "counterpart of"),
        ("procedure main() { yield; }", "threads"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotInC, match=reason.replace("\\\\", "\\")):
        c_text(paddock.load(text))
