"""The identity of assertions: places, numbers and roles, for what is read and for what is built."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import paddock
from paddock.ir.build import FALSE, TRUE, compare, int_lit
from paddock.ir.expr import Op
from paddock.ir.origin import AssertionId
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.stmt import Assert, Block, Call, Return, Statement
from paddock.ir.types import INT
from paddock.options import Options
from paddock.passes.check_specs import check_specs
from paddock.passes.deep_asserts import deep_asserts
from paddock.passes.extract_loops import extract_loops
from paddock.passes.identify_assertions import identify_assertions

X = local_var("x", INT)


def asserted(program: Program) -> Iterator[Assert]:
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                yield from (s for s in block.statements if isinstance(s, Assert))


def identities(program: Program) -> list[AssertionId]:
    return [statement.origin.identity() for statement in asserted(program)]


def built(name: str, *statements: Statement, **contract: tuple[Clause, ...]) -> Procedure:
    body = Implementation((), (Block("start", statements, Return()),))
    return Procedure(name, params=(VarDecl(X),), implementations=(body,), **contract)


def at_least(n: int) -> Assert:
    return Assert(compare(Op.GE, X, int_lit(n)))


def test_what_is_built_without_places_is_told_apart() -> None:
    positive = Clause(compare(Op.GT, X, int_lit(0)))
    check = at_least(0)
    program = Program(
        procedures=(
            built("main", check, at_least(1), Call("P", (X,)), Call("P", (int_lit(7),))),
            built("P", check, at_least(1), requires=(positive,), ensures=(positive, Clause(TRUE))),
        )
    )
    found = identities(check_specs(identify_assertions(program)))
    assert len(found) == len(set(found)) == 8
    result = paddock.check(program, Options.of(all_assertions=True))
    assert len(result.assertions) == len({a.id for a in result.assertions}) == 8
    assert [(a.text, a.verdict.value) for a in result.assertions][:4] == [
        ("x >= 0", "bug"),
        ("x >= 1", "bug"),
        ("x > 0", "proved"),
        ("7 > 0", "proved"),
    ]


def test_what_has_an_identity_keeps_it() -> None:
    program = paddock.load("procedure main(x: int) { assert x > 0; while (*) { assert x > 1; call main(x); } }")
    assert identify_assertions(program) is program
    copied = deep_asserts(extract_loops(program))
    assert identify_assertions(copied).procedures == copied.procedures
    assert set(identities(identify_assertions(copied))) == set(identities(program))
    more = replace(program, procedures=(*program.procedures, built("Q", Assert(FALSE), Assert(FALSE))))
    assert len(set(identities(identify_assertions(more)))) == 4


def test_the_copies_of_a_generic_procedure_have_the_same_assertions() -> None:
    text = """
    procedure P<T>(x: T, y: T) requires x == y; ensures x == y; { assert x == y; }
    procedure main() { call P(1, 1); call P(true, true); }
    """
    result = paddock.check(paddock.load(text), Options.of(all_assertions=True))
    assert sorted(a.kind for a in result.assertions) == ["assert", "ensures", "requires", "requires"]


LIMITS = """
#define LIMITS(i, lo, hi) assert(i >= lo); assert(i <= hi)
extern void assert(int);
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  if (x < 0) return 0;
  LIMITS(x, 0, 9);
  return 0;
}
"""


@pytest.mark.parametrize("engine", ["dag", "alternating"])
def test_the_assertions_of_a_macro_are_told_apart(tmp_path, engine: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "limits.c").write_text(LIMITS)
    program = paddock.load(tmp_path / "limits.c")
    result = paddock.check(program, Options.of(all_assertions=True, engine=engine))
    assert [(a.text, a.verdict.value) for a in result.assertions] == [("x >= 0", "proved"), ("x <= 9", "bug")]
    first, second = result.assertions
    assert (first.line, first.column) == (second.line, second.column)
    assert first.id != second.id
    assert second.trace[-1].text == "assertion fails: x <= 9"


def test_functions_of_one_macro_have_their_own_assertions(tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = """
    extern void assert(int);
    int n;
    #define TWO(a, b) void a(int x) { n++; assert(x > 0); } void b(int x) { n++; assert(x > 0); }
    TWO(f, g)
    int main(void) { f(1); g(0); return 0; }
    """
    (tmp_path / "two.c").write_text(text)
    result = paddock.check(paddock.load(tmp_path / "two.c"), Options.of(all_assertions=True))
    assert [(a.procedure, a.verdict.value) for a in result.assertions] == [("f", "proved"), ("g", "bug")]
