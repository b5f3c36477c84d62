"""How often procedures may be on the stack, and what follows for loops with a constant number of iterations."""

from __future__ import annotations

import pytest

import paddock
from paddock.engines.inlining.bounds import Bounds
from paddock.options import Options
from paddock.report.result import Result, Verdict

PROGRAM = paddock.load(
    """
    procedure main();
    procedure {:SIextraRecBound 3} Extra();
    procedure {:loop "main"} Loop();
    procedure {:loop "main"} {:iterations 27} Constant();
    procedure {:loop "main"} {:iterations 27} {:SIextraRecBound 2} Both();
    procedure {:iterations 27} NoLoop();
    """
)
NAMES = ("main", "Extra", "Loop", "Constant", "Both", "NoLoop")


def activations(bounds: Bounds, bound: int) -> list[int]:
    return [bounds.activations(name, bound) for name in NAMES]


def test_activations() -> None:
    bounds = Bounds(PROGRAM, recursion=4, loops=6)
    assert bounds.last == 6
    assert activations(bounds, 1) == [1, 4, 1, 28, 30, 1]
    assert activations(bounds, 5) == [4, 7, 5, 28, 30, 4]
    assert activations(bounds, 6) == [4, 7, 6, 28, 30, 4]
    assert bounds.allow_call("Constant", 28, 1) and not bounds.allow_call("Constant", 29, 6)
    assert [name for name in NAMES if bounds.is_constant_loop(name)] == ["Constant", "Both"]


def test_a_bound_beyond_the_iterations_counts() -> None:
    assert activations(Bounds(PROGRAM, recursion=4, loops=40), 35) == [4, 7, 35, 35, 37, 4]


def test_constant_loops_can_be_treated_like_others() -> None:
    bounds = Bounds(PROGRAM, recursion=4, loops=6, constant_loops=False)
    assert activations(bounds, 2) == [2, 5, 2, 2, 4, 2]
    assert not any(map(bounds.is_constant_loop, NAMES))


# --- what a user sees of it ------------------------------------------------------------------------

ENGINES = ("dag", "stratified", "eager")
LOOP = "procedure main(n: int) { var i, j, sum: int; i := 0; while (i < 27) { BODY i := i + 1; } REST }"
NESTED = "j := 0; while (j < 4) { j := j + 1; sum := sum + 1; }"


def check(body: str, rest: str, **options: object) -> Result:
    text = LOOP.replace("BODY", body).replace("REST", rest).replace("i := 0;", "i, sum := 0, 0;")
    return paddock.check(paddock.load(text), Options.of(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bug_behind_a_constant_loop_is_found_and_its_absence_proved(engine: str) -> None:
    assert check("", "assert i < 27;", engine=engine, recursion_bound=2).verdict is Verdict.BUG
    assert check("", "assert i == 27;", engine=engine, recursion_bound=2).verdict is Verdict.PROVED


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bug_in_the_last_iteration(engine: str) -> None:
    assert check("assert i != 26;", "", engine=engine, recursion_bound=1).verdict is Verdict.BUG
    assert check("assert i != 27;", "", engine=engine, recursion_bound=1).verdict is Verdict.PROVED


@pytest.mark.parametrize("engine", ENGINES)
def test_nested_constant_loops(engine: str) -> None:
    assert check(NESTED, "assert sum != 108;", engine=engine, recursion_bound=2).verdict is Verdict.BUG
    assert check(NESTED, "assert sum == 108;", engine=engine, recursion_bound=2).verdict is Verdict.PROVED


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_named_as_cut_off_is_the_other_loop(engine: str) -> None:
    rest = "j := 0;\nwhile (j < n) { j := j + 1; } assert i + j != 77;"
    result = check("", rest, engine=engine, recursion_bound=3)
    assert result.verdict is Verdict.BOUNDED
    assert result.reason == "cut off: the loop at <text>:2:1"
    assert check("", rest, engine=engine, recursion_bound=3, unwind=50).verdict is Verdict.BUG


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ({"constant_loops": False}, ""),
        ({"unwind": 3}, " after 3 complete iterations"),
        ({"unwind": 26}, " after 26 complete iterations"),
    ],
)
def test_the_user_can_have_the_bound_for_all_loops(options: dict[str, object], after: str) -> None:
    result = check("", "assert i < 27;", **options)
    assert result.verdict is Verdict.BOUNDED
    assert result.reason == f"cut off: the loop at <text>:1:62{after}"


def test_a_constant_loop_in_a_recursive_procedure() -> None:
    # Each activation of P is inside a loop of the one before: the iterations of all of them are on the stack at once.
    text = """
        var depth: int;
        procedure main() modifies depth; { depth := 0; call P(); }
        procedure P() modifies depth; {
          var i: int;
          i := 0;
          while (i < 3) { if (depth < 2) { depth := depth + 1; call P(); } i := i + 1; }
          assert LAST;
        }
    """
    safe = paddock.check(paddock.load(text.replace("LAST", "i == 3")), Options.of(recursion_bound=9))
    assert safe.verdict is Verdict.PROVED
    bug = paddock.check(paddock.load(text.replace("LAST", "depth < 2")), Options.of(recursion_bound=9))
    assert bug.verdict is Verdict.BUG


@pytest.mark.parametrize("options", [{}, {"deep_asserts": False}, {"engine": "alternating"}])
def test_the_iterations_of_a_loop_in_recursion_count_together(options: dict[str, object]) -> None:
    # Two in each of three activations of P, and the one that leaves the loop.
    text = """
        var g: int;
        procedure P(n: int) modifies g; {
          var i: int;
          i := 0;
          while (i < 2) { if (n > 0) { call P(n - 1); } g := g + 1; i := i + 1; }
        }
        procedure main() modifies g; { g := 0; call P(2); assert g < 14; }
    """
    for bound, verdict in ((6, Verdict.BOUNDED), (7, Verdict.BUG)):
        result = paddock.check(paddock.load(text), Options.of(recursion_bound=bound, **options))  # type: ignore[arg-type]
        assert result.verdict is verdict
