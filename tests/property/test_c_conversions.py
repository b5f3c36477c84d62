"""The conversions of C agree with gcc: the types of all operators on all pairs of types, and the values of random
expressions, computed from the tree and by a compiled program."""

from __future__ import annotations

import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c.types import ILP32, LP64, DataModel, FloatType
from tests.property.c_values import worth
from tests.unit.frontends.c.reading import read

GCC = shutil.which("gcc")
pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")

INTEGERS = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum small",
    "enum negative",
]
FLOATS = ["float", "double", "long double"]
ENUMS = "enum small { A, B }; enum negative { C = -1, D };\n"
ON_INTEGERS = ["%", "<<", ">>", "&", "|", "^"]
ON_ALL = ["+", "-", "*", "/", "<", "=="]


def compile_with_gcc(text: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    source = folder / "program.c"
    source.write_text(text)
    assert GCC is not None
    return subprocess.run(
        [GCC, "-w", "-std=gnu11", *options, str(source)], capture_output=True, text=True, cwd=folder, check=False
    )


def results_of(expressions: list[str], declarations: str, model: DataModel) -> list[t.Expression]:
    """The expressions as the tree has them."""
    statements = "".join(f"{e};\n" for e in expressions)
    function = read(f"{declarations}\nvoid f(void) {{\n{statements}}}", model=model).function("f")
    assert function is not None and function.body is not None
    found = [s.expression for s in function.body.statements if isinstance(s, t.Evaluate)]
    assert len(found) == len(expressions)
    return found


@pytest.mark.parametrize(("model", "option"), [(LP64, "-m64"), (ILP32, "-m32")], ids=["lp64", "ilp32"])
def test_types_of_operators(model: DataModel, option: str, tmp_path: Path) -> None:
    expressions = [f"({a})1 {op} ({b})1" for op in ON_ALL for a in INTEGERS + FLOATS for b in INTEGERS + FLOATS]
    expressions += [f"({a})1 {op} ({b})1" for op in ON_INTEGERS for a in INTEGERS for b in INTEGERS]
    expressions += [f"1 ? ({a})1 : ({b})1" for a in INTEGERS + FLOATS for b in INTEGERS + FLOATS]
    expressions += [f"{sign}({a})1" for sign in ("+", "-", "!") for a in INTEGERS + FLOATS]
    expressions += [f"~({a})1" for a in INTEGERS]
    expressions += [f"sizeof({a})" for a in INTEGERS]
    expressions += [
        "1",
        "1u",
        "1l",
        "1ul",
        "1ll",
        "1ull",
        "2147483648",
        "0x80000000",
        "4294967296",
        "1.f",
        "1.",
        "1.l",
        "'a'",
    ]
    types = [node.type for node in results_of(expressions, ENUMS, model)]
    checks = "".join(
        f'_Static_assert(__builtin_types_compatible_p(__typeof__({e}), {type_}), "{e} is {type_}");\n'
        for e, type_ in zip(expressions, types, strict=True)
    )
    done = compile_with_gcc(ENUMS + checks, tmp_path, "-fsyntax-only", option)
    assert not done.stderr


def random_expression(rng: random.Random, depth: int, floats: bool) -> str:
    """An expression whose value C defines: no division by zero, no shift too far, no overflow of floats."""
    if depth == 0 or rng.random() < 0.1:
        if floats and rng.random() < 0.4:
            return f"{rng.randrange(1000) / 8}{rng.choice(['', 'f', 'l'])}"
        suffix = rng.choice(["", "", "u", "l", "ul", "ll", "ull"])
        number = rng.choice([rng.randrange(4), rng.randrange(300), 2**31 - 1, 2**31, 2**32 - 1, rng.randrange(2**33)])
        return f"{number}{suffix}"

    def inner(floats: bool = floats) -> str:
        return random_expression(rng, depth - 1, floats)

    match rng.randrange(8):
        case 0:
            return f"({rng.choice(INTEGERS)})({inner(False)})"
        case 1:
            return f"({rng.choice(['-', '+', '!', ''])}({inner()}))"
        case 2:
            return f"(~({inner(False)}))"
        case 3:
            return f"({inner()} {rng.choice(['<', '>', '<=', '>=', '==', '!=', '&&', '||'])} {inner()})"
        case 4:
            return f"({inner()} ? {inner()} : {inner()})"
        case 5:
            return f"({inner(False)} {rng.choice(['<<', '>>'])} (({inner(False)}) & 7))"
        case 6:
            # The divisor is between 1 and 127, so nothing overflows.
            return f"({inner(False)} {rng.choice(['/', '%'])} ((({inner(False)}) & 126) + 1))"
        case _ if floats:
            third = f"({inner()}) / 3.0{rng.choice(['', 'f'])}"
            return f"(({third}) {rng.choice('+-')} ({rng.choice(FLOATS)})({inner(False)}))"
        case _:
            return f"({inner()} {rng.choice('+-*&|^')} {inner()})"


@pytest.mark.parametrize(("model", "option"), [(LP64, "-m64")], ids=["lp64"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_values_of_expressions(seed: int, model: DataModel, option: str, tmp_path: Path) -> None:
    rng = random.Random(seed)
    expressions = [random_expression(rng, rng.randrange(1, 5), floats=n % 3 == 0) for n in range(300)]
    results = results_of(expressions, ENUMS, model)
    prints = "".join(
        f'  printf("%La\\n", (long double)({e}));\n'
        if isinstance(node.type, FloatType)
        else f'  printf("%lld\\n", (long long)({e}));\n'
        for e, node in zip(expressions, results, strict=True)
    )
    program = f"{ENUMS}int printf(const char *, ...);\nint main(void) {{\n{prints}  return 0;\n}}\n"
    compiled = compile_with_gcc(program, tmp_path, option, "-fwrapv", "-O0", "-o", "program")
    assert compiled.returncode == 0, compiled.stderr
    output = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout.split()
    for text, node, line in zip(expressions, results, output, strict=True):
        value = worth(node)
        if isinstance(node.type, FloatType):
            assert value == _hexadecimal(line), text
        else:
            assert isinstance(value, int)
            assert (value - int(line)) % 2**64 == 0, text


def _hexadecimal(text: str) -> Fraction:
    """A number as printf's `%La` writes it."""
    sign = -1 if text.startswith("-") else 1
    digits, _, power = text.lstrip("-").removeprefix("0x").partition("p")
    whole, _, part = digits.partition(".")
    return sign * Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(2) ** int(power)
