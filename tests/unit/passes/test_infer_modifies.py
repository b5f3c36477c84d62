from __future__ import annotations

from dataclasses import replace

import pytest

import paddock
from paddock.ir.origin import InputError
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.validate import check_valid

PROGRAM = """
    var a, b, c, d: int;
    procedure main() { call P(); }
    procedure P();
      modifies d;
    implementation P() { a := 1; }
    implementation P() { call Q(); }
    procedure Q() { call P(); call Extern(); }
    procedure Extern();
      modifies b;
    procedure Opaque();
    procedure calls_opaque() { var x: int; call Opaque(); havoc x; }
    procedure result() { call a := R(); }
    procedure R() returns (r: int);
    procedure Poly<T>(x: T) { c := c + 1; }
    procedure uses() { call Poly(3); }
"""


def clauses(program: Program) -> dict[str, list[str]]:
    return {p.name: [v.name for v in p.modifies] for p in program.procedures}


def test_what_bodies_and_callees_change() -> None:
    program = check_valid(paddock.load(PROGRAM))
    found = clauses(program)
    assert {name: sorted(names) for name, names in found.items()} == {
        "main": ["a", "b", "d"],
        "P": ["a", "b", "d"],  # of both bodies, and what the clause says
        "Q": ["a", "b", "d"],
        "Extern": ["b"],
        "Opaque": [],
        "calls_opaque": [],
        "result": ["a"],
        "R": [],
        "Poly#int": ["c"],
        "uses": ["c"],
    }
    assert found["P"][0] == "d"  # what is written comes first


def test_what_is_printed_needs_no_inference() -> None:
    text = program_text(paddock.load(PROGRAM))
    strict = paddock.load(text, options=paddock.Options.of(check_modifies=True))
    assert program_text(strict) == text


def test_strictness() -> None:
    with pytest.raises(InputError, match="changes the global variable 'a'"):
        paddock.load(PROGRAM, options=paddock.Options.of(check_modifies=True))


def test_programs_without_a_source() -> None:
    """A program that is built in Python is completed, or refused, when it is checked."""
    given = paddock.load("var g: int; procedure main() { g := 1; assert g == 2; }")
    bare = replace(given, procedures=tuple(replace(p, modifies=()) for p in given.procedures))
    assert paddock.check(bare).verdict is paddock.Verdict.BUG
    assert clauses(paddock.passes.infer_modifies(bare)) == {"main": ["g"]}
    assert paddock.passes.infer_modifies(given) is given
    with pytest.raises(InputError, match="the procedure 'main' may change g"):
        paddock.check(bare, paddock.Options.of(check_modifies=True))
