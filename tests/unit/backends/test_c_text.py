"""Regions in C: every operation means in C what it means in Boogie, and what has no counterpart is arbitrary."""

from __future__ import annotations

import math
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import paddock
from paddock import Options, Result, Verdict
from paddock.backends.c_text import NotInC, assertion_lines, c_text

WIDTHS = (8, 16, 32, 64)
MIDDLE = WIDTHS[1:-1]  # for the patient
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
    """A program that asserts what each operation gives for many operands, which are given in variables."""
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
                expected_text = str(bool(expected)).lower() if is_test else f"{expected % (1 << width)}bv{width}"
                lines.append(f"x, y := {a}bv{width}, {b}bv{width}; assert {name}(x, y) == {expected_text};")
    functions.append(f'function {{:bvbuiltin "bvneg"}} neg(a: bv{width}): bv{width};')
    functions.append(f'function {{:bvbuiltin "bvnot"}} flip(a: bv{width}): bv{width};')
    for a in values:
        lines.append(f"x := {a}bv{width}; assert neg(x) == {-a % (1 << width)}bv{width};")
        lines.append(f"x := {a}bv{width}; assert flip(x) == {~a % (1 << width)}bv{width};")
    text = "\n".join(lines)
    return "\n".join(functions) + f"\nprocedure main() {{ var x, y: bv{width};\n{text}\n}}"


def bits_of(number: float, width: int) -> int:
    """In IEEE's format; too large a number is infinite."""
    code = {32: "<f", 64: "<d"}[width]
    try:
        return int.from_bytes(struct.pack(code, number), "little")
    except OverflowError:
        return bits_of(math.copysign(math.inf, number), width)


def divided(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)


# On numbers of half the precision and less, Python's operations, rounded again, are exact.
ON_FLOATS: dict[str, Callable[[float, float], float | bool]] = {
    "x + y": lambda a, b: a + b,
    "x - y": lambda a, b: a - b,
    "x * y": lambda a, b: a * b,
    "x / y": divided,
    "-x": lambda a, b: -a,
    "abs(x)": lambda a, b: abs(a),
    "x == y": lambda a, b: bits_of(a, 64) == bits_of(b, 64),
    "x != y": lambda a, b: bits_of(a, 64) != bits_of(b, 64),
    "equal(x, y)": lambda a, b: a == b,
    "x < y": lambda a, b: a < b,
    "x <= y": lambda a, b: a <= b,
    "x > y": lambda a, b: a > b,
    "x >= y": lambda a, b: a >= b,
    "isNaN(x)": lambda a, b: math.isnan(a),
    "isZero(x)": lambda a, b: a == 0,
    "isInfinite(x)": lambda a, b: math.isinf(a),
    "isNegative(x)": lambda a, b: not math.isnan(a) and math.copysign(1, a) < 0,
    "isPositive(x)": lambda a, b: not math.isnan(a) and math.copysign(1, a) > 0,
}
SMALLEST_NORMAL = {32: 2.0**-126, 64: 2.0**-1022}


def floating(width: int) -> str:
    """As `operations`, for floating point, and with conversions."""
    significand, exponent = {32: (24, 8), 64: (53, 11)}[width]
    type_, bits = f"float{significand}e{exponent}", f"bv{width}"
    functions = [
        f'function {{:builtin "(_ to_fp {exponent} {significand})"}} of(a: {bits}): {type_};',
        f'function {{:builtin "(_ to_fp {exponent} {significand}) RNE"}} signed(a: bv64): {type_};',
        f'function {{:builtin "(_ to_fp_unsigned {exponent} {significand}) RNE"}} unsigned(a: bv64): {type_};',
        f'function {{:builtin "(_ fp.to_sbv 16) RTZ"}} short(a: {type_}): bv16;',
        f'function {{:builtin "(_ fp.to_ubv 64) RTZ"}} long(a: {type_}): bv64;',
        f'function {{:builtin "(_ to_fp 11 53) RNE"}} double(a: {type_}): float53e11;',
        'function {:builtin "(_ to_fp 11 53)"} double_of(a: bv64): float53e11;',
        f'function {{:builtin "="}} same(a: {type_}, b: {type_}): bool;',
        f'function {{:builtin "fp.eq"}} equal(a: {type_}, b: {type_}): bool;',
        'function {:builtin "="} same_double(a: float53e11, b: float53e11): bool;',
        f'function {{:builtin "fp.abs"}} abs(a: {type_}): {type_};',
    ]
    kinds = ("NaN", "Zero", "Infinite", "Negative", "Positive", "Normal", "Subnormal")
    functions += [f'function {{:builtin "fp.is{kind}"}} is{kind}(a: {type_}): bool;' for kind in kinds]
    values = [0.0, -0.0, 1.0, -1.5, 3.25, 0.1, 65535.9, -32768.9, 1e30, -1e-30, 1e-44, math.inf, -math.inf, math.nan]
    lines = []
    for a in values:
        a = rounded(a, width)
        tell = f"x := of({bits_of(a, width)}{bits});"
        is_normal = abs(a) >= SMALLEST_NORMAL[width] and math.isfinite(a)
        lines.append(f"{tell} assert isNormal(x) == {str(is_normal).lower()};")
        is_subnormal = 0 < abs(a) < SMALLEST_NORMAL[width]
        lines.append(f"{tell} assert isSubnormal(x) == {str(is_subnormal).lower()};")
        lines.append(f"{tell} assert same_double(double(x), double_of({bits_of(a, 64)}bv64));")
        if math.isfinite(a) and -32769 < a < 32768:
            lines.append(f"{tell} assert short(x) == {int(a) % 65536}bv16;")
        if math.isfinite(a) and -1 < a < 2.0**64:
            lines.append(f"{tell} assert long(x) == {int(a)}bv64;")
        for b in values:
            b = rounded(b, width)
            for expression, meaning in ON_FLOATS.items():
                value = meaning(a, b)
                expected_text = f"same({expression}, of({bits_of(value, width)}{bits}))"
                if isinstance(value, bool):
                    expected_text = f"({expression}) == {str(value).lower()}"
                lines.append(f"{tell} y := of({bits_of(b, width)}{bits}); assert {expected_text};")
    for n in (0, 1, 16777217, 2**63, 2**64 - 1):
        negative = n - 2**64 if n >> 63 else n
        lines.append(f"z := {n}bv64; assert signed(z) == of({bits_of(float(negative), width)}{bits});")
        lines.append(f"z := {n}bv64; assert unsigned(z) == of({bits_of(float(n), width)}{bits});")
    text = "\n".join(lines)
    return "\n".join(functions) + f"\nprocedure main() {{ var x, y: {type_}; var z: bv64;\n{text}\n}}"


def rounded(number: float, width: int) -> float:
    return struct.unpack("<f", struct.pack("<f", number))[0] if width == 32 else number


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
@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(operations(n), marks=pytest.mark.slow if n in MIDDLE else (), id=str(n)) for n in WIDTHS),
        pytest.param(EXTENSIONS, id="extensions"),
        pytest.param(floating(32), id="float", marks=pytest.mark.slow),
        pytest.param(floating(64), id="double"),
    ],
)
def test_operations(text: str, tmp_path: Path) -> None:
    written = c_text(paddock.load(text))
    types = [*(f"u{n}" for n in WIDTHS), "f32", "f64"]
    nondet = "\n".join(f"{t} nondet_{t}(void) {{ return 0; }}" for t in types)
    file = tmp_path / "region.c"
    file.write_text(
        f"{FAKE}\n{written}\n{nondet}\n_Bool nondet_bool(void) {{ return 0; }}\n#undef main\n"
        "int main(void) { region_main(); return failed; }\n"
    )
    subprocess.run(["gcc", "-w", "-o", tmp_path / "region", file], check=True)
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


FLOATS = """
function {:builtin "(_ fp.to_sbv 8) RTZ"} int_of(x: float24e8): bv8;
function {:builtin "(_ to_fp 8 24) RNE"} float_of(x: bv8): float24e8;
function {:builtin "fp.eq"} equal(x: float24e8, y: float24e8): bool;
procedure main(x: float24e8, n: bv8) {
  var y: float24e8;
  y := x + x;
  assert {:id "0"} x > 0x0.0e0f24e8 ==> y >= x;
  assert {:id "1"} equal(x, x);
  assert {:id "2"} int_of(float_of(n)) == n;
  assert {:id "3"} float_of(int_of(x)) == x;
  havoc y; assume y < x;
  assert {:id "4"} x == x && x != y && !(x <= y);
}
"""


def violated(result: Result) -> list[int]:
    return [n for n, assertion in enumerate(result.assertions) if assertion.verdict is Verdict.BUG]


@pytest.mark.parametrize(
    ("text", "count", "wrong"), [(PROGRAM, 9, [0, 3, 7]), pytest.param(FLOATS, 5, [1, 3], marks=pytest.mark.slow)]
)
def test_a_program_means_the_same_in_c(text: str, count: int, wrong: list[int], tmp_path: Path) -> None:
    options = Options.of(all_assertions=True, recursion_bound=12, timeout=600)
    program = paddock.load(text)
    file = tmp_path / "region.c"
    file.write_text(c_text(program))
    assert violated(paddock.check(program, options)) == wrong
    assert violated(paddock.check(paddock.load(file), options)) == wrong
    assert sorted(assertion_lines(file.read_text()).values()) == [str(n) for n in range(count)]


def test_a_branch_is_decided_by_its_condition() -> None:
    """A verifier that knows the values then knows where a loop ends, which it does not if it is to choose."""
    text = c_text(paddock.load("procedure main() { var x: bv8; while (x != 3bv8) { x := 3bv8; } assert x == 3bv8; }"))
    assert "if (nondet_bool())" not in text and len(re.findall(r"^  if \(.*\) goto \w+;$", text, re.MULTILINE)) == 1
    both = "procedure main(x: bv8) { if (*) { assume x == 3bv8; } else { assume x == 4bv8; } assert x == 3bv8; }"
    assert "if (nondet_bool())" in c_text(paddock.load(both))


ROOT = """
function {:builtin "fp.sqrt RNE"} root(x: float24e8): float24e8;
procedure main(x: float24e8) { assert root(0x1.0e0f24e8) == 0x1.0e0f24e8; }
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("procedure main() { var x: int; assert x == x; }", "the type int"),
        ("procedure main() { var m: [bv8]bv8; assert m[0bv8 := 1bv8][0bv8] == 1bv8; }", "the type [bv8]bv8"),
        ("procedure main() { var x: bv7; assert x == x; }", "the type bv7"),
        ("procedure main(x: float64e15) { assert x == x || x != x; }", "the type float64e15"),
        (ROOT, "the function root"),
        ("function f(x: bv8): bv8; procedure main(x: bv8) { assert x == 1bv8 ==> f(x) == f(1bv8); }", "the function f"),
        ("procedure main(x: bv8) { assert (exists y: bv8 :: x == y); }", "(exists y: bv8 :: x == y)"),
        ("var g: bv8; procedure main() { assert g == old(g); }", "old(g)"),
    ],
)
def test_what_has_no_counterpart_is_arbitrary(text: str, reason: str, tmp_path: Path) -> None:
    program = paddock.load(text)
    file = tmp_path / "region.c"
    file.write_text(c_text(program))
    assert f"//   {reason}" in file.read_text().splitlines()
    options = Options.of(timeout=600)
    assert paddock.check(program, options).verdict is not Verdict.BUG
    assert paddock.check(paddock.load(file), options).verdict is Verdict.BUG


MEMORY = """
type T;
const limit: bv8;
const unique red, green, blue: bv8;
axiom limit == 9bv8;
axiom (forall t: T :: f(t) == f(t));
function f(t: T): bv8;
function {:bvbuiltin "bvult"} less(a: bv8, b: bv8): bool;
function {:bvbuiltin "bvadd"} plus(a: bv8, b: bv8): bv8;
var memory: [bv8]bv8;
var count: int;
var owner: T;
procedure main(n: bv8, t: T) returns (u: T, r: bv8) modifies memory, count, owner; {
  var i: bv8; var copy: [bv8]bv8;
  assert {:id "0"} limit == 9bv8;
  i := 0bv8;
  while (less(i, limit)) {
    memory[i], count, i := f(owner), count + 1, plus(i, 1bv8);
    call memory, r, u := Set(memory, i, owner);
    havoc owner, copy;
  }
  assert {:id "1"} i == 9bv8;
  assert {:id "2"} r == 9bv8;
  assert {:id "3"} memory[i] == r;
  assert {:id "5"} red != green && green != blue && blue != red;
  assert {:id "4"} memory == copy || count > 0 || less(memory[i], memory[n]);
}
procedure Set(m: [bv8]bv8, i: bv8, t: T) returns (o: [bv8]bv8, r: bv8, s: T)
{ o := m[i := i]; r := i; s := t; }
"""


def test_what_does_not_depend_on_memory_is_known(tmp_path: Path) -> None:
    file = tmp_path / "region.c"
    file.write_text(c_text(paddock.load(MEMORY)))
    options = Options.of(all_assertions=True, recursion_bound=12, timeout=600)
    assert violated(paddock.check(paddock.load(MEMORY), options)) == [5]
    assert violated(paddock.check(paddock.load(file), options)) == [3, 5]


def test_large_expressions_are_written_in_parts() -> None:
    doubled = "x"
    for _ in range(40):
        doubled = f"plus({doubled}, 1bv8)"
    lets = "\n".join("x := plus(plus(x, x), plus(x, x));" for _ in range(3))
    head = 'function {:bvbuiltin "bvadd"} plus(a: bv8, b: bv8): bv8;'
    text = c_text(paddock.load(f"{head} procedure main(y: bv8) {{ var x: bv8; {lets} assert {doubled} == y; }}"))
    assert max(map(len, text.splitlines())) < 1000


@pytest.mark.parametrize(
    ("declaration", "use"),
    [
        ('{:bvbuiltin "bvadd"} f(a: bv8, b: bv8, c: bv8): bv8', "f(1bv8, 1bv8, 1bv8) == 2bv8"),
        ('{:bvbuiltin "bvadd"} f(a: bv8): bv8', "f(1bv8) == 1bv8"),
        ('{:bvbuiltin "bvadd"} f(): bv8', "f() == 0bv8"),
        ('{:bvbuiltin "bvadd"} f(a: bool, b: bool): bool', "f(true, true)"),
        ('{:bvbuiltin "bvadd"} f(a: bv8, b: bv16): bv8', "f(1bv8, 1bv16) == 2bv8"),
        ('{:bvbuiltin "bvadd"} f(a: bv8, b: bv8): bool', "f(1bv8, 1bv8)"),
        ('{:bvbuiltin "bvult"} f(a: bv8, b: bv8): bv8', "f(1bv8, 2bv8) == 1bv8"),
        ('{:bvbuiltin "sign_extend 8"} f(a: bool): bv8', "f(false) == 0bv8"),
        ('{:bvbuiltin "sign_extend 8"} f(a: bv8): bv32', "f(0bv8) == 0bv32"),
        ('{:builtin "="} f(a: float24e8, b: float24e8, c: float24e8): bool', "f(x, x, y)"),
        ('{:builtin "fp.neg"} f(a: float24e8, b: float24e8): float24e8', "f(x, y) == -x || x != x"),
        ('{:builtin "fp.lt"} f(a: float24e8, b: float24e8): float24e8', "f(x, x) == 0x0.0e0f24e8"),
        ('{:builtin "(_ to_fp 5 11) RNE"} f(a: bv16): float24e8', "f(1bv16) == 0x1.0e0f24e8"),
        ('{:builtin "(_ fp.to_sbv 8) RTZ"} f(a: float24e8): bv16', "x == 0x0.0e0f24e8 ==> f(x) == 0bv16"),
    ],
)
def test_other_uses_of_builtin_functions_are_arbitrary(declaration: str, use: str) -> None:
    text = c_text(paddock.load(f"function {declaration}; procedure main(x, y: float24e8) {{ assert {use}; }}"))
    assert "//   the function f" in text.splitlines()


def test_a_function_means_in_c_what_it_means_to_the_solver(tmp_path: Path) -> None:
    program = paddock.load(
        'function {:bvbuiltin "bvadd"} {:builtin "bvsub"} f(a: bv8, b: bv8): bv8; '
        "procedure main() { assert f(1bv8, 1bv8) == 0bv8; }"
    )
    file = tmp_path / "region.c"
    file.write_text(c_text(program))
    assert paddock.check(program).verdict is Verdict.BUG
    assert paddock.check(paddock.load(file)).verdict is Verdict.BUG


def test_what_is_arbitrary_is_one_thing(tmp_path: Path) -> None:
    program = paddock.load(
        """
        function {:builtin "(_ fp.to_ubv 8) RTZ"} int_of(x: float24e8): bv8;
        function {:bvbuiltin "bvudiv"} divided(a: bv8, b: bv8): bv8;
        function {:bvbuiltin "bvule"} most(a: bv8, b: bv8): bool;
        procedure main(x: float24e8, n: bv8)
        { assert int_of(x) == int_of(x); assert most(divided(1bv8, int_of(x)), 1bv8) || int_of(x) == 0bv8; }
        """
    )
    file = tmp_path / "region.c"
    file.write_text(c_text(program))
    assert paddock.check(paddock.load(file), Options.of(timeout=600)).verdict is Verdict.PROVED


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
@pytest.mark.parametrize("id_", ["{:id}", '{:id "\\u"}', '{:id x == "a"}', "{:id 5}"])
def test_any_id_is_fine_with_a_compiler(id_: str, tmp_path: Path) -> None:
    file = tmp_path / "region.c"
    file.write_text(c_text(paddock.load(f"procedure main(x: string) {{ assert {id_} true; }}")))
    subprocess.run(["gcc", "-Wall", "-Wno-unused", "-Werror", "-c", "-o", tmp_path / "region.o", file], check=True)


def test_threads_are_refused() -> None:
    with pytest.raises(NotInC, match="threads"):
        c_text(paddock.load("procedure main() { yield; }"))
