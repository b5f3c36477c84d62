"""Interpolants of other solvers, where the atoms of the program do not suffice; and how they read."""

from __future__ import annotations

import pytest

from paddock.engines.interpolation.reading import read_condition
from paddock.ir.build import old
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.printer import expr_text
from paddock.ir.types import BOOL, INT, REAL, Bv
from paddock.solvers.interpolants import sources
from paddock.solvers.interpolants.problem import InterpolantSource, Problem
from paddock.solvers.interpolants.sources import SOURCES
from paddock.solvers.sexpr import Sexpr, parse
from tests.unit.engines.interpolation.test_lasting import left, said

# Both calls give the same, whatever that is: no comparison of the program says so.
TWICE = """
    procedure F(x: int) returns (r: int) { r := 0; r := r + x; r := r + x; r := r + 3; }
    procedure main(x: int) { var r: int; var s: int; call r := F(x); call s := F(x); assert r == s; }
"""


@pytest.mark.parametrize("name", ["Yices", "cvc5"])
def test_what_no_atom_says_a_solver_may(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    source = next(source for source in SOURCES if source.name == name)
    if not source.suits(Problem((), ())):
        pytest.skip("not installed")
    monkeypatch.setattr(sources, "SOURCES", (source,))
    found = left(TWICE)
    assert found is not None and not found.certificate.inlined
    assert all("2 * x + 3" in condition for condition in said(found)["F"])


class Wrong:
    """Says what it likes."""

    name = "wrong"

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0

    def suits(self, problem: Problem) -> bool:
        return True

    def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
        self.asked += 1
        # The parameter comes after the result.
        return parse(self.text.replace("r", problem.point[0][0]).replace("x", problem.point[1][0]))[0]


@pytest.mark.parametrize("text", ["false", "true", "(= r x)", "(>= r 0)", "(<= (+ r r) (* 5 x) 7)", "nonsense", "(or)"])
def test_what_is_no_interpolant_is_not_used(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    wrong: InterpolantSource = Wrong(text)
    monkeypatch.setattr(sources, "SOURCES", (wrong,))
    found = left(TWICE)
    assert isinstance(wrong, Wrong) and wrong.asked
    assert found is not None and "F" not in found.certificate.ensures


NAMED: dict[str, Expr] = {
    "r": Var("r", INT, Scope.LOCAL),
    "x": Var("x", INT, Scope.LOCAL),
    "g": old(Var("g", INT, Scope.GLOBAL)),
    "b": Var("b", BOOL, Scope.LOCAL),
    "w": Var("w", Bv(8), Scope.LOCAL),
    "q": Var("q", REAL, Scope.LOCAL),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(>= (+ (- 3) r (* (- 2) x)) 0)", "r >= 2 * x + 3"),
        ("(<= (+ (* -4 r) (* 2 g)) -6)", "2 * r >= old(g) + 3"),
        ("(not (= (+ r x 1) 0))", "r + x != -1"),
        ("(>= (+ r 5 (* -1 x)) 0)", "r + 5 >= x"),
        ("(= r r)", "0 == 0"),
        ("(let ((a (<= r 1))) (and a true (or (not a) b)))", "r <= 1 && (r > 1 || b)"),
        ("(=> b (= w #x0f))", "b ==> w == 15bv8"),
        ("(= w (_ bv3 8))", "w == 3bv8"),
        ("(< q (/ 1.0 2.0))", "q < 0.5"),
        ("(ite b (< r 1) b)", "(if b then r < 1 else b)"),
        ("(= b (< 1 r 3))", "b <==> r > 1 && r < 3"),
        ("(bvult w #x0f)", None),
        ("(= w #x1)", None),
        ("(< r q)", None),
        ("(f r)", None),
        ("r", None),
        ("()", None),
    ],
)
def test_conditions_are_read_as_a_person_writes_them(text: str, expected: str | None) -> None:
    found = read_condition(parse(text)[0], NAMED)
    assert (None if found is None else expr_text(found)) == expected


def test_deep_conditions_are_refused_without_recursion() -> None:
    assert read_condition(parse("(not " * 3000 + "b" + ")" * 3000)[0], NAMED) is None


def test_a_body_whose_callees_read_more_is_a_valid_script(monkeypatch: pytest.MonkeyPatch) -> None:
    import z3

    problems: list[Problem] = []

    class Recording(Wrong):
        def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
            problems.append(problem)
            return None

    monkeypatch.setattr(sources, "SOURCES", (Recording(""),))
    text = """
        var b: bool; var m: [int]int; var n: int;
        procedure Low(x: int) returns (r: int) { r := m[x]; if (b) { r := n; } }
        procedure F(x: int) returns (r: int)
        { var t: int; call t := Low(x); r := 0; r := r + x; r := r + x; r := r + 3; }
        procedure main(x: int) { var r: int; var s: int; call r := F(x); call s := F(x); assert r == s; }
    """
    assert left(text) is not None
    assert problems
    for problem in problems:
        z3.Solver().from_string("\n".join(problem.commands))  # raises if it is none
