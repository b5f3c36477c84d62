"""Quantified assumptions and axioms: no solver's guess becomes a bug, and what is a bug is found."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

import paddock
from paddock.vc import encode
from tests.unit.solvers.examples import z3_command

HAS_CVC5 = find_spec("cvc5") is not None
IN_PROCESS = ["z3", pytest.param("cvc5", marks=pytest.mark.skipif(not HAS_CVC5, reason="cvc5 is not installed"))]
ALL = [*IN_PROCESS, pytest.param(z3_command(), id="process")]

FUNCTIONS = "function f(int): int; function g(int): int; function h(int): int; function r(int, int): bool;\n"
NO_MATCH = "axiom (forall i: int :: {g(i)} f(i) > 0);\n"
CHAIN = "axiom (forall i: int :: {g(i)} f(i) > h(i)); axiom (forall i: int :: {g(i)} h(i) > 0);\n"


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bug here is one that a longer attempt would refute, so all that such attempts do is take time."""
    monkeypatch.setattr("paddock.engines.feasibility.CONFIRMATION_EFFORT", 0.3)


def verdict(text: str, solver: str) -> str:
    return paddock.check(paddock.load(FUNCTIONS + text), paddock.Options.of(solver=solver, timeout=600)).verdict


@pytest.mark.parametrize("solver", IN_PROCESS)
@pytest.mark.parametrize(
    "text",
    [
        "procedure main(x: int) { assume (forall i: int :: f(i) > 0); assert f(x) > 3; }",
        "procedure main(x: int) { assume (exists i: int :: f(i) == 7); assert f(x) != 7; }",
        "axiom (forall i: int :: {f(i)} f(i) > 0); procedure main(x: int) { assert f(x) > 3; }",
        "axiom (forall i: int :: {r(i, i)} r(i, i)); procedure main(x: int, y: int) { assert r(x, y); }",
        NO_MATCH + "procedure main(x: int) { assert f(x) > 1; }",
        CHAIN + "procedure main(x: int) { assert f(x) > 2; }",
        # What is computed and never looked at must not go against an axiom, either.
        """axiom (forall i: int :: {g(i)} g(i) == i); axiom (forall i: int :: {f(i)} f(i) > i);
        procedure main(x: int) { var dead: int; dead := g(4); assume f(x) != 5; assert x != 3; }""",
        # Nor may an element that is looked at only after the map has changed.
        """axiom (forall i: int :: {f(i)} f(i) > i);
        procedure main(m: [int]int, k: int, j: int) {
            var n: [int]int;
            assume (forall i: int :: {m[i]} m[i] <= 0 || m[i] > 9);
            n := m[k := 5];
            n[j] := n[k] + n[j];
            assume f(j) != 5;
            assert f(n[k]) != 7;
        }""",
    ],
)
def test_bugs(text: str, solver: str) -> None:
    assert verdict(text, solver) == "bug"


@pytest.mark.parametrize(
    "text",
    [
        "(m: [int]int) { assume (forall i: int :: {m[i]} 0 <= i && i < 4 ==> m[i] == i); assert m[3] == m[2]; }",
        """(m: [int, bool]int) {
            assume (forall i: int, b: bool :: {m[i, b]} 0 <= i && i < 4 ==> m[i, b] == i);
            assert m[3, true] == 2;
        }""",
        "(m: [bv8]bv8) { assume (forall i: bv8 :: {m[i]} m[i] != i); assert m[m[3bv8]] == 3bv8; }",
        """(m: [int][int]int, k: int) {
            assume (forall i, j: int :: {m[i][j]} 0 <= i && i < 3 && 0 <= j && j < 3 ==> m[i][j] == j);
            assert m[k][2] == 1;
        }""",
    ],
)
def test_maps_that_a_model_gives_by_a_formula(text: str) -> None:
    assert verdict(f"procedure main{text}", "z3") == "bug"


@pytest.mark.parametrize("solver", ALL)
@pytest.mark.parametrize(
    "text",
    [
        NO_MATCH + "procedure main(x: int) { assert f(x) > 0; }",
        CHAIN + "procedure main(x: int) { assert f(x) > 0; }",
        "procedure main(x: int) { assume (forall i: int :: {g(i)} f(i) > 0); assert f(x) > 0; }",
    ],
)
def test_what_no_trigger_matches_is_no_bug(text: str, solver: str) -> None:
    assert verdict(text, solver) in ("proved", "unknown")


def test_what_a_solver_is_not_sure_of_is_said() -> None:
    program = paddock.load(FUNCTIONS + NO_MATCH + "procedure main(x: int) { assert f(x) > 0; }")
    result = paddock.check(program, paddock.Options.of(solver=z3_command(), timeout=600))
    assert result.reason.startswith("the solver does not know (incomplete quantifiers)")


@pytest.mark.parametrize("solver", IN_PROCESS)
def test_long_chains_of_definitions(solver: str) -> None:
    """Instantiated on triggers, they are cut off somewhere."""
    count = 50
    functions = "".join(f"function d{n}(x: int): int {{ d{n - 1}(x) + 1 }}\n" for n in range(1, count))
    program = f"function d0(x: int): int {{ x }}\n{functions}procedure main(x: int) {{ assert d{count - 1}(x) != 5; }}"
    result = paddock.check(paddock.load(program), paddock.Options.of(solver=solver, timeout=600))
    assert (result.verdict, result.trace[-1].values["x"].text) == ("bug", str(5 - count + 1))


def test_definitions_that_would_explode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "MOST_EXPANSIONS", 100)
    functions = "".join(
        f"function d{n}(x: int): int {{ d{n - 1}(2 * x) + d{n - 1}(2 * x + 1) }}\n" for n in range(1, 30)
    )
    program = f"function d0(x: int): int {{ x }}\n{functions}procedure main(x: int) {{ assert d29(x) == d29(x + 1); }}"
    result = paddock.check(paddock.load(program), paddock.Options.of(timeout=1))
    assert result.verdict in ("bug", "unknown")


def test_what_refutes_a_path_refutes_others_like_it() -> None:
    """No trigger of the axiom matches: each of the paths through the calls has a candidate model."""
    steps = "call i := step(i); " * 6
    text = f"""
        procedure step(i: int) returns (r: int) {{ var c: bool; if (c) {{ r := i + 1; }} else {{ r := i; }} }}
        procedure main(s: int, n: int) {{
          var i: int;
          i := s;
          {steps}
          if (*) {{ assume n <= 0; assert f(i) > n; }}
        }}"""
    result = paddock.check(paddock.load(FUNCTIONS + NO_MATCH + text))
    assert result.verdict == "proved"
    assert result.stats["queries"] < 20
