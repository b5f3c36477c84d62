"""Random C programs about memory: what Paddock says of them is what gcc's programs do."""

from __future__ import annotations

import re

import pytest

from tests.property.c_compare import AGREES, DISAGREES, compared
from tests.property.c_input_programs import InputProgram, failing, input_program
from tests.property.c_memory_programs import MemoryProgram, memory_program
from tests.property.c_native import GCC, Invalid, checksums
from tests.property.c_reduce import MAKERS, reduced

needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")


@needs_gcc
def test_programs_are_defined() -> None:
    # The last program once used a name in a loop before its declaration.
    programs = [memory_program(seed) for seed in (*range(50), 700701)]
    assert not [value for value in checksums(programs) if isinstance(value, Invalid)]


@needs_gcc
def test_recursion_ends() -> None:
    program = input_program(720294)  # which assigns to what its recursive function counts with
    assert any(re.search(r"\bn = ", line) for line in program.top)
    assert not isinstance(failing([program])[0], Invalid)


@needs_gcc
def test_what_is_not_defined_is_noticed() -> None:
    loaded = MemoryProgram(("static int g@[2];",), ("int i = 2;", "MIX(g@[i]);"))
    fine = MemoryProgram((), ("MIX(3);",))
    values = checksums([fine, loaded, fine])
    assert values[0] == values[2] == 3
    assert isinstance(values[1], Invalid) and "index 2 out of bounds" in str(values[1])


def test_a_program_has_one_text() -> None:
    assert memory_program(7) == memory_program(7) != memory_program(8)


FOUND_IN = {
    "a struct in a struct": ("memory", r"struct \w+@ \{ .*struct S\d+@ \w+;"),
    "a struct in a union": ("memory", r"union \w+@ \{ .*struct S\d+@ \w+;"),
    "a cast of a pointer": ("memory", r"\(\*\((\w| )+ \*\)"),
    "another record's view": ("memory", r"\(\(struct S\d+@ \*\)&"),
    "a pointer to a member": ("memory", r"= &\w+@?\.\w"),
    "a pointer to an element": ("memory", r"= &\w+@?\[\d\]|= \w+@? \+ "),
    "a computed length": ("memory", r"mem(set|move)\(.*& \d+\);"),
    "nested assignments": ("memory", r"^\w.* = [^=;]+[^=!<>]= "),
    "a switch over a declaration": ("memory", r"switch \(.*\) \{ .*;"),
    "a goto over a declaration": ("memory", r"goto L\d+; .*; L\d+:"),
    "a call through a table": ("memory", r"table\d+@\[[^;]* & 1\]\)?\("),
    "a call through a struct in an array": ("memory", r"table\d+@\[[^;]* & 1\]\.call"),
    "recursion": ("memory", r"if \(depth > 0\) rec\d+@"),
    "bit-fields": ("memory", r"\w : \d+;"),
    "a rounding mode": ("memory", r"fesetround\(FE_UPWARD\)"),
    "a classification": ("memory", r"fpclassify\("),
    "a narrow counter": ("memory", r"for \((unsigned char|char) \w+ = 0; \w+ < sizeof"),
    "what is dropped": ("memory", r"^(\(void\))?\*\(volatile (\w| )+\*\)"),
    "an array as a condition": ("memory", r"MIX\(!\w+@?(\.\w)?\);"),
    "a member of a result": ("memory", r"by\d+@\(.*\)\.\w"),
    "errno": ("memory", r"\berrno = "),
    "a name of the library": ("memory", r"^\w.*\b(index|log|round|exp)@.* = "),
    "two assertions of a macro": ("inputs", r"CHECK.*CHECK"),
    "a byte that becomes arbitrary": ("inputs", r"HAVOC"),
}


def test_everything_occurs() -> None:
    missing = dict(FOUND_IN)
    for seed in range(2000):
        for kind in {kind for kind, _ in missing.values()}:
            program = MAKERS[kind](seed)
            text = "\n".join(program.top + program.body)
            missing = {w: (k, x) for w, (k, x) in missing.items() if k != kind or not re.search(x, text, re.MULTILINE)}
    assert not missing


def test_reducing_keeps_what_matters() -> None:
    body = (
        "int a = 1;",
        "if (a) {",
        "MIX(a);",
        "{",
        "MIX(7);",
        "}",
        "} else {",
        "MIX(2);",
        "}",
        "{ int b = 2; MIX(b); }",
    )
    program = reduced(MemoryProgram(("int x;", "int y;"), body), lambda p: "MIX(7);" in p.body and "int y;" in p.top)
    assert program == MemoryProgram(("int y;",), ("MIX(7);",))


@needs_gcc
def test_inputs_are_all_tried() -> None:
    body = ("unsigned char in0 = INPUT(0);", "unsigned char in1 = INPUT(1);", "g@ += in0;")
    body += ("CHECK(0, in0 != 255 || in1 != 255);", "CHECK(1, g@ < 256);", "CHECK(2, in0 + in1 < 510);")
    program = InputProgram(("static int g@;",), body, (256, 256, 1))
    assert failing([program]) == [{0}]
    assert compared(program, {0}).kind == AGREES
    assert compared(program, {0, 2}).kind == compared(program, set()).kind == DISAGREES
