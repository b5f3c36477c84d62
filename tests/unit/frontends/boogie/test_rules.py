"""What Boogie accepts and refuses beyond types and names: marks, duplicates, purity."""

from __future__ import annotations

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import Diagnostic
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from tests.unit.frontends.boogie.loading import check_errors, loaded


def load_text(text: str) -> Program:
    return load([Source(text)])


@pytest.mark.parametrize(
    "marked",
    [
        'assert {:id "a"} true; assume «{:id "a"} true;',
        'call {:id "a"} main(); assert «{:id "a"} true;',
        'assert {:id "a"} true; while (true) free invariant «{:id "a"} true; { }',
    ],
)
def test_ids_of_statements_are_unique(marked: str) -> None:
    check_errors(f"procedure main() {{ {marked} }}", "another statement has the id 'a'")
    check_errors(
        'procedure P() { assert {:id "a"} true; } procedure Q() { assert «{:id "a"} true; }',
        "another statement has the id 'a'",
    )


def test_ids_that_do_not_clash() -> None:
    """One assertion of a polymorphic procedure is not several; contracts have ids of their own."""
    program = load_text(
        """procedure P<a>(x: a) { assert {:id "a"} {:id "b"} x == x; assert {:id "b"} true; assert {:id} true; }
        procedure Q(); requires {:id "q"} true; requires {:id "q"} true;
        procedure main() { assert {:id} true; call P(1); call P(true); }"""
    )
    again = load_text(program_text(program))  # where copies are distinguished
    assert [p.name for p in again.procedures] == [p.name for p in program.procedures]
    assert '{:id "a (copy 2)"}' in program_text(program)


IN_PURE = "cannot be used in a pure procedure"


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("pure procedure P(x: int) { assert x == «g; }", f"the global variable 'g' {IN_PURE}"),
        ("pure procedure P() { «g := 1; }", f"the global variable 'g' {IN_PURE}"),
        ("pure procedure P(); requires «g > 0;", f"the global variable 'g' {IN_PURE}"),
        ("pure procedure P() returns (r: int); ensures r == «old(r);", f"'old' {IN_PURE}"),
        ("pure procedure P(); modifies «g;", "a pure procedure modifies nothing"),
        ("pure procedure P() { call «Q(); }", f"the procedure 'Q' is not pure, so it {IN_PURE}"),
    ],
)
def test_pure_procedures(declaration: str, message: str) -> None:
    check_errors(f"var g: int; procedure Q(); {declaration}", message)


def test_pure_procedures_that_are() -> None:
    loaded(
        """const c: int; pure procedure P() returns (r: int); ensures r > c;
        pure procedure Q() { var x: int; call x := P(); }"""
    )


def test_extern_declarations_give_way() -> None:
    program = loaded(
        """type {:extern} T; type T = int; const {:extern} c: bool; var c: T;
        function f(x: int): int; function {:extern} f(): bool; procedure {:extern} P(x: int); procedure P() { }
        procedure {:extern true} P() ; procedure main() { assert f(c) == 1; call P(); }"""
    )
    assert [p.name for p in program.procedures] == ["P", "main"]
    loaded("function {:extern} f(): int; procedure f(); procedure main() { call f(); }")
    check_errors("const {:extern false} c: int; const «c: int;", "the constant 'c' is already defined")


def test_types_with_anonymous_parameters() -> None:
    loaded("type Map _ _; type T a a; const m: Map int (T bool bool);")


def test_measures_are_read_with_a_warning() -> None:
    warnings: list[Diagnostic] = []
    loop = "while (i < n) measure n - i; invariant i >= 0; { i := i + 1; }"
    text = f"procedure main(n: int) measure n, 1; {{ var i: int; {loop} }}"
    load([Source(text)], warnings=warnings)
    assert {w.message for w in warnings} == {"'measure' is not supported: termination is not checked"}
    assert len(warnings) == 2


def test_fields_of_old_constructors_are_apart() -> None:
    loaded(
        """type {:datatype} T; function {:constructor} C(x: int): T; function {:constructor} D(x: bool): T;
        procedure main(t: T) { assert is#C(t) ==> x#C(t) == 1; assert is#D(t) ==> x#D(t); }"""
    )
