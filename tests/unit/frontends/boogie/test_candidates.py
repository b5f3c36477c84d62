"""Texts of candidates: clauses and procedures without bodies, which are all templates."""

from __future__ import annotations

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.ir.program import Procedure, find_attribute

PROGRAM = "var s: int; procedure main() { assert s == 0; }"


def templates(text: str) -> list[Procedure]:
    program = load([Source(PROGRAM, "p.bpl")], [Source(text, "c")])
    return [p for p in program.procedures if find_attribute(p.attributes, "template")]


def test_clauses_are_one_template_and_procedures_further_ones() -> None:
    clauses, same, only = templates(
        """
        ensures s == 0;
        free requires s > 0;
        procedure Same(x: int) returns (r: int); ensures r == x;
        procedure {:template "main"} Only(); ensures old(s) == s;
        """
    )
    assert [str(c.condition) for c in (*clauses.requires, *clauses.ensures)] == ["s > 0", "s == 0"]
    assert [str(c.condition) for c in same.ensures] == ["r == x"]
    assert [a.params for a in only.attributes] == [("main",)]
    assert str(clauses.ensures[0].origin) == "c:2:9"


def test_there_may_be_none() -> None:
    (empty,) = templates("// nothing to try")
    assert not empty.requires
    assert not empty.ensures


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("ensures q == 1;", "c:1:9: error: undeclared identifier 'q'"),
        ("ensures s;", "c:1:9: error: a postcondition must be a bool, but is int"),
        ("requires old(s) == 0;", "c:1:10: error: 'old' cannot be used in a precondition"),
        ("ensures s == ;", "c:1:14: error: expected an expression"),
        ("ensures s == 1", "c:1:15: error: expected ';' after the 'ensures' clause"),
        ("s == 1;", "c:1:1: error: expected 'requires', 'ensures' or 'procedure', found 's'"),
        ("modifies s;", "c:1:1: error: expected 'requires', 'ensures' or 'procedure', found 'modifies'"),
        ("var x: int;", "c:1:1: error: expected 'requires', 'ensures' or 'procedure', found 'var'"),
        ("procedure main();", "c:1:11: error: the procedure 'main' is already defined"),
        ("procedure T() { }", "c:1:11: error: a procedure in a file of candidates cannot have a body"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(wrong: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        templates(wrong)
    assert message in str(caught.value)
    assert caught.value.diagnostics[0].source_line
