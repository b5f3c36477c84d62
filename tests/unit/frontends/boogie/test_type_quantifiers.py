"""Quantifiers over types inside formulas, equality between type parameters, and types that nothing determines."""

from __future__ import annotations

import pytest

import paddock
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.origin import Diagnostic
from tests.unit.frontends.boogie.loading import check_errors, loaded

FIELDS = """
    type Field _;
    const unique fi: Field int;
    const unique fb: Field bool;
    function wf<a>(f: Field a): bool;
    function box<a>(x: a): int;
"""


def verdicts(body: str, params: str = "") -> list[str]:
    """What Boogie says of the assertions of this body, too (see the property tests)."""
    program = paddock.load(f"{FIELDS} procedure main({params}) {{ {body} }}")
    result = paddock.check(program, paddock.Options.of(all_assertions=True, timeout=60))
    return [a.verdict.value for a in result.assertions]


MAPS = "h: <a>[Field a]a, k: <a>[Field a]a"


@pytest.mark.parametrize(
    ("params", "body", "expected"),
    [
        (MAPS, "assume (forall<a> f: Field a :: h[f] == k[f]); assert h[fi] == k[fi]; assert h[fb] == k[fb];", "pp"),
        (MAPS, "assume (forall<a> f: Field a :: h[f] == k[f]); assert (forall<b> g: Field b :: k[g] == h[g]);", "p"),
        (MAPS, "assume h[fi] == k[fi]; assert (forall<a> f: Field a :: h[f] == k[f]);", "b"),
        # a type that is used nowhere else
        ("", "assume (forall f: Field int :: wf(f)); assert (forall<a> f: Field a :: wf(f));", "b"),
        ("", "assert wf(fb) ==> (exists<a> f: Field a :: wf(f));", "p"),
        ("", "assert !(exists<a> f: Field a :: wf(f)) ==> !wf(fi);", "p"),
        ("", "assert (forall<a> f: Field a :: wf(f) && (exists<b> g: Field b :: wf(g))) ==> wf(fi);", "p"),
        # values of different types
        ("", "assert (exists<a> x: a :: x == 3);", "p"),
        ("", "assume (forall<a> x: a :: x == true ==> box(x) == 1); assert box(true) == 1;", "p"),
        # how many values a type has
        ("", "assert (forall<a> x: a :: x == x);", "p"),
        ("", "assert !(forall<a> x: a, y: a :: x == y);", "p"),
        ("", "assume (forall<a> x: a, y: a :: x == y); assert false;", "p"),
    ],
)
def test_meaning(params: str, body: str, expected: str) -> None:
    assert "".join(v[0] for v in verdicts(body, params)) == expected


def test_equality_of_type_parameters() -> None:
    program = loaded(
        """
        function eq3<a>(x: a): bool { x == 3 }
        procedure P<a, b>(x: a, y: b) returns (r: bool) { r := x != y; }
        procedure main() { var r: bool; assert eq3(3) && !eq3(true); call r := P(1, 2); call r := P(1, true); }
        """
    )
    bodies = {f.name: str(f.body) for f in program.functions}
    assert bodies["eq3#int"] == "x == 3" and bodies["eq3#bool"] == "false"
    result = paddock.check(program)
    assert result.verdict is paddock.Verdict.PROVED


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("type L _; function k<a>(x: L a, y: a): bool { x «== y }", "'==' needs two values of one type, not L a and a"),
        ("procedure P<a>(x: [a]int, y: [bool]a) { assert x «== y; }", None),
        ("procedure P(x: bool) { assert x «== 3; }", "'==' needs two values of one type, not bool and int"),
    ],
)
def test_types_that_cannot_be_equal(marked: str, message: str | None) -> None:
    check_errors(marked, message or "'==' needs two values of one type, not [a]int and [bool]a")


def test_undetermined_types_are_int_with_a_warning() -> None:
    warnings: list[Diagnostic] = []
    text = "type L _; function nil<a>(): L a; function len<a>(l: L a): int; axiom len(nil()) == 0;"
    program = load([Source(text)], warnings=warnings)
    assert sorted(f.name for f in program.functions) == ["len#int", "nil#int"]
    assert [w.message for w in warnings] == ["a type argument cannot be determined here: it is taken to be int"]


FINITE = "polymorphism is supported where finitely many instances suffice"
TRIGGER = "neither the trigger nor the variables mention the type 'b'"


@pytest.mark.parametrize(
    ("marked", "messages"),
    [
        ("function f<a>(x: a): int; axiom (forall<a, b> x: a :: «{ f(x) } f(x) > 0);", [TRIGGER]),
        ("function f<a>(x: a): int; axiom true ==> (forall<b> x: int :: «{ f(x) } f(x) > 0);", [TRIGGER]),
        (
            "function f<a>(x: a): int; procedure P<c>() returns (r: c) { assert (forall<b> x: c :: «{ f(x) } true); }",
            [TRIGGER],
        ),
        ("function f<a>(x: a): int; axiom (forall<a, b> x: a, y: [b]int :: { f(x), f(y) } true);", []),
        ("function f<a>(x: int): a; axiom (forall<b> x: int :: { (f(x): b) } true);", []),
        (
            "axiom (forall<a> x: a :: («forall<a> y: a :: true));",
            ["the type parameter 'a' is already declared around here"],
        ),
        ("function f<a>(x: «<a>[a]int): a;", ["the type parameter 'a' is already declared around here"]),
        ("var m: <a>[a]«<a>[a]int;", ["the type parameter 'a' is already declared around here"]),
        ("type a; var m: «<a>[a]int;", ["the type parameter 'a' has the name of a declared type"]),
        (
            """type Box _; function b<a>(x: a): Box a; function f<a>(x: a): bool;
            procedure main() { assert («forall<a> x: a :: f(x) ==> f(b(x))); }""",
            [f"'f' is needed for infinitely many types, or for too many of them; {FINITE}"],
        ),
    ],
)
def test_refused(marked: str, messages: list[str]) -> None:
    check_errors(marked, *messages)
