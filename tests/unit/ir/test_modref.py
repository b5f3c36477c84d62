"""Inferred effects: what procedures may modify and read."""

from __future__ import annotations

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.modref import mod_ref

GLOBALS = "var a: int; var b: int; var c: int where c > b; var d: [int]int;\n"


def effects(text: str, name: str = "p") -> tuple[str, str]:
    """The globals that a procedure modifies and those it reads, in order of declaration."""
    found = mod_ref(load([Source(GLOBALS + text)]))[name]
    return "".join(v.name for v in found.modifies), "".join(v.name for v in found.reads)


def test_an_assignment_modifies_its_target_and_reads_its_value() -> None:
    assert effects("procedure p() modifies a; { a := b; }") == ("a", "b")


def test_the_modifies_clause_of_a_body_is_not_believed() -> None:
    assert effects("procedure p() modifies a, b, c, d; { b := 1; }") == ("b", "")


def test_a_procedure_without_a_body_does_what_its_contract_says() -> None:
    text = "procedure p(); modifies d, a; requires b > 0; ensures a == old(c);"
    assert effects(text) == ("ad", "abc")


def test_results_of_calls_are_modified() -> None:
    text = "procedure q() returns (r: int); procedure p() modifies a, b; { call a := q(); par b := q() | a := q(); }"
    assert effects(text) == ("ab", "")


def test_arguments_are_read() -> None:
    assert effects("procedure q(x: int); procedure p() { call q(a); par q(d[b]) | q(1); async call q(c); }") == (
        "",
        "abcd",
    )


def test_conditions_are_read() -> None:
    assert effects("procedure p() { assume a > 0; assert (exists x: int :: d[x] == 0); }") == ("", "ad")


def test_contracts_are_read() -> None:
    assert effects("procedure p(x: int where x > d[0]) requires a > 0; free ensures b > 0; { }") == ("", "abd")


def test_old_is_a_read() -> None:
    assert effects("procedure p() { assert old(a) == 0; }") == ("", "a")


def test_attributes_are_not_reads() -> None:
    text = "procedure {:k a} p() { assume {:k b} (forall x: int :: {:k c} x == x); goto {:k d} l; l: }"
    assert effects(text) == ("", "")


def test_triggers_are_reads() -> None:
    assert effects("procedure p() { assume (forall x: int :: { d[x] } x == x); }") == ("", "d")


def test_havoc_reads_the_where_clause() -> None:
    assert effects("procedure p() modifies a; { havoc a; }") == ("a", "")
    assert effects("procedure p() modifies c; { havoc c; }") == ("c", "bc")
    assert effects("procedure p(); modifies c;") == ("c", "bc")


def test_where_clauses_of_locals_are_read() -> None:
    assert effects("procedure p() { var x: int where x > a; }") == ("", "a")


def test_locals_that_hide_globals_do_not_count() -> None:
    assert effects("procedure p(a: int) returns (b: int) { var c: int; c := a; b := c; }") == ("", "")


def test_effects_of_callees_are_effects() -> None:
    text = """
        procedure p() modifies a; { call q(); }
        procedure q() modifies a; { call r(); }
        procedure r() modifies a; { a := b; }
    """
    assert effects(text) == ("a", "b")
    assert effects(text + "procedure s() { assume c > 0; }", "s") == ("", "c")


def test_mutual_recursion() -> None:
    text = """
        procedure p() modifies a, b; { if (*) { a := 0; call q(); } }
        procedure q() modifies a, b; { b := c; call p(); }
        procedure caller() modifies a, b; { assume d[0] == 0; call q(); }
    """
    assert effects(text, "p") == effects(text, "q") == ("ab", "c")
    assert effects(text, "caller") == ("ab", "cd")


def test_every_implementation_counts() -> None:
    text = "procedure p(); modifies a, b; implementation p() { a := 1; } implementation p() { b := 1; }"
    assert effects(text) == ("ab", "")
