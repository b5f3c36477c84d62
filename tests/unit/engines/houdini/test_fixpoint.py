from __future__ import annotations

from collections.abc import Sequence

import pytest

from paddock.engines.houdini.fixpoint import fixpoint
from paddock.engines.outcome import Budget
from paddock.solvers.interface import INCOMPLETE, TIME_LIMIT, Answer, Status, Term
from paddock.solvers.z3.solver import Z3Solver
from tests.unit.engines.houdini.houdini_programs import found, kept, ready


def test_postconditions_are_assumed_of_calls_and_checked_at_exits() -> None:
    text = """
    var g: int;
    procedure P(x: int) returns (r: int) modifies g;
      ensures a ==> g == old(g) + 1;
      ensures b ==> g >= old(g);
      ensures c ==> r == x;
      ensures d ==> g != old(g) ==> r == 0;
    { g := g + 1; r := x; }
    procedure main() modifies g;
      ensures e ==> g == old(g) + 2;
    { var r: int; call r := P(3); call r := P(4); assert r == 4; }
    """
    assert kept(text) == {"a", "b", "c", "e"}


def test_a_dropped_candidate_takes_those_with_it_that_rely_on_it() -> None:
    text = """
    var g: int;
    procedure P() modifies g; ensures a ==> g > 0; { g := g + 1; }
    procedure Q() modifies g; ensures b ==> g > 0; ensures c ==> g >= old(g); { call P(); }
    procedure main() modifies g; { call Q(); assert g > 0; }
    """
    assert kept(text) == set()
    assert kept(text.replace("g := g + 1", "g := 1")) == {"a", "b"}


def test_recursive_procedures_prove_together() -> None:
    text = """
    procedure Even(n: int) returns (r: int) ensures a ==> r >= 0; ensures b ==> r > 0;
    { if (n == 0) { r := 0; } else { call r := Odd(n - 1); } }
    procedure Odd(n: int) returns (r: int) ensures c ==> r >= 0; ensures d ==> r > 0;
    { if (n == 0) { r := 1; } else { call r := Even(n - 1); } }
    procedure main(n: int) { var r: int; call r := Even(n); assert r >= 0; }
    """
    assert kept(text) == {"a", "c"}
    assert kept(text.replace("r := 0;", "r := 2;")) == {"a", "b", "c", "d"}
    assert kept(text.replace("r := 1;", "r := -1;")) == set()


def test_preconditions_are_assumed_at_the_start_and_checked_at_all_calls() -> None:
    text = """
    procedure P(x: int) requires a ==> x > 0; requires b ==> x > 1; { call Q(x); }
    procedure Q(x: int) requires c ==> x > 0; requires d ==> x == 1; { assert x > 0; }
    procedure main() { call P(1); call P(2); }
    """
    assert kept(text) == {"a", "c"}


def test_nothing_is_required_of_the_entry_even_if_it_is_called_too() -> None:
    text = """
    procedure main(x: int) requires a ==> x > 0; { call P(x); }
    procedure P(x: int) requires b ==> x > 0; { if (x > 5) { call main(x - 1); } assert x > 0; }
    """
    assert kept(text) == set()


def test_a_free_call_is_a_call() -> None:
    text = """
    procedure P(x: int) requires a ==> x > 0; { assert x > 0; }
    procedure main(x: int) { free call P(x); }
    """
    assert kept(text) == set()


def test_nothing_is_believed_of_procedures_without_a_body() -> None:
    text = """
    var g: int;
    procedure P(x: int); requires a ==> x > 0; requires b ==> x > 1; modifies g; ensures c ==> g > 0;
    procedure main() modifies g; ensures d ==> g > 0; { call P(1); }
    """
    assert kept(text) == set()


def test_invariants_of_loops() -> None:
    text = """
    procedure main(n: int) ensures d ==> false;
    {
      var i: int;
      assume n >= 0;
      i := 0;
      while (i < n)
        invariant a ==> 0 <= i && i <= n;
        invariant b ==> i < n;
        invariant c ==> i mod 2 == 0;
      { i := i + 1; }
      assert i == n;
    }
    """
    assert kept(text) == {"a"}


def test_a_candidate_in_the_middle_counts_although_the_execution_does_not_go_on() -> None:
    text = """
    var g: int;
    procedure P(x: int) modifies g; free ensures g > 0;
    { g := x; assert a ==> g > 0; assert b ==> x == g; assume g > 0; assert c ==> g > 0; }
    procedure main() modifies g; { call P(0); assert g > 0; }
    """
    assert kept(text) == {"b", "c"}


def test_one_constant_may_guard_several_candidates() -> None:
    text = """
    var g: int;
    procedure P() modifies g; ensures a ==> g == 1; ensures b ==> g == 1; { g := 1; }
    procedure Q() modifies g; ensures a ==> g == 2; ensures c ==> g == 1; { call P(); }
    procedure main() modifies g; ensures b ==> g == 1; { call Q(); assert g == 1; }
    """
    # What P does not prove goes for Q, too; what c says follows from b as well.
    assert kept(text) == {"b", "c"}


def test_what_is_free_anyway_may_be_relied_on() -> None:
    text = """
    var g: int;
    procedure P() modifies g; free requires g > 0; free ensures g < 9; ensures a ==> g > 0 && g < 9 && old(g) > 0;
    { havoc g; assume g > 0; }
    procedure main() modifies g; { call P(); assert g > 0; }
    """
    assert kept(text) == {"a"}


def chain(procedures: int, candidates: int) -> str:
    """Procedures that call one another in a row; half of their candidates are true."""
    text = ["var g: int;"]
    for p in range(procedures):
        text.append(f"procedure P{p}() modifies g;")
        for n in range(candidates):
            text.insert(0, f"const {{:existential true}} b{p}_{n}: bool;")
            text.append(f"  ensures b{p}_{n} ==> g {'>=' if n % 2 else '<'} old(g) - {n};")
        text.append(f"{{ if (*) {{ call P{p + 1}(); }} g := g + 1; }}")
    text.append(f"procedure P{procedures}() {{ }} procedure main() modifies g; {{ call P0(); assert g > 0; }}")
    return "\n".join(text)


@pytest.mark.parametrize(("procedures", "candidates"), [(1, 6), (5, 1), (5, 8), (12, 4)])
def test_without_recursion_there_are_at_most_as_many_questions_as_candidates(procedures: int, candidates: int) -> None:
    result = found(chain(procedures, candidates))
    assert result.queries <= procedures * candidates
    assert len(result.kept) == procedures * (candidates // 2)


def test_only_those_are_asked_again_that_relied_on_what_was_dropped() -> None:
    procedures = [f"procedure P{n}(x: int) requires b{n} ==> x > 0; {{ assert x > 0; }}" for n in range(9)]
    calls = " ".join(f"call P{n}({n});" for n in range(9))
    constants = "".join(f"const {{:existential true}} b{n}: bool;" for n in range(9))
    text = f"{constants} {' '.join(procedures)} procedure main() {{ {calls} }}"
    result = found(text)
    assert {g.name for g in result.kept} == {f"b{n}" for n in range(1, 9)}
    assert result.queries == 2  # both are about main: the first drops b0


class Watched(Z3Solver):
    """A solver that counts, for those that it makes, and gives out after a number of questions."""

    def __init__(self, log: list[str], gives_up_after: int = 10**9, answer: Answer | None = None) -> None:
        super().__init__()
        self.log, self.gives_up_after, self.answer = log, gives_up_after, answer

    def another(self, thorough: bool = False, effort: float | None = None) -> Watched:
        self.log.append("open")
        return Watched(self.log, self.gives_up_after, self.answer)

    def close(self) -> None:
        super().close()
        self.log.append("close")

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self.log.append("check")
        if self.log.count("check") > self.gives_up_after:
            return self.answer or Answer(Status.UNKNOWN, TIME_LIMIT)
        return super().check(assumptions, timeout)


class Countdown(Budget):
    """A budget that is spent after a number of questions."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.left = questions

    def remaining(self) -> float | None:
        self.left -= 1
        return 0.0 if self.left < 0 else None


def test_what_is_proved_is_kept_when_time_runs_out() -> None:
    text = chain(6, 4)
    whole = found(text)
    amounts = set()
    for questions in range(whole.queries + 1):
        result = found(text, Countdown(questions))
        assert result.queries == questions
        assert set(result.kept) <= set(whole.kept)
        assert result.is_complete == (questions == whole.queries)
        # Procedures are either done, with all that is true of them, or nothing of them is kept.
        by_procedure = {name: {g for g in whole.kept if g.name.startswith(f"b{name}_")} for name in range(6)}
        assert all(set(result.kept) & those in (set(), those) for those in by_procedure.values())
        amounts.add(len(result.kept))
    assert len(amounts) == 7


def test_nothing_of_an_unfinished_group_is_kept() -> None:
    text = """
    procedure Even(n: int) returns (r: int) ensures a ==> r >= 0; ensures b ==> r > 0;
    { if (n == 0) { r := 0; } else { call r := Odd(n - 1); } }
    procedure Odd(n: int) returns (r: int) ensures c ==> r >= 0; ensures d ==> r > 0;
    { if (n == 0) { r := 1; } else { call r := Even(n - 1); } }
    procedure main(n: int) ensures e ==> true; { var r: int; call r := Even(n); assert r >= 0; }
    """
    whole = found(text)
    for questions in range(whole.queries - 1):
        assert not found(text, Countdown(questions)).kept
    assert {g.name for g in found(text, Countdown(whole.queries - 1)).kept} == {"a", "c"}


@pytest.mark.parametrize("answer", [Answer(Status.UNKNOWN, TIME_LIMIT), Answer(Status.UNKNOWN, INCOMPLETE)])
def test_what_the_solver_does_not_prove_is_dropped(answer: Answer) -> None:
    text, log = chain(3, 4), list[str]()
    with Watched(log, 0, answer) as solver:
        assert fixpoint(ready(text), solver, Budget()).kept == ()
    assert log.count("open") == 3
    assert log.count("close") == 4


def test_where_all_together_are_too_hard_each_is_tried_alone() -> None:
    class Overwhelmed(Watched):
        """Does not know about more than one goal at once."""

        def another(self, thorough: bool = False, effort: float | None = None) -> Overwhelmed:
            return Overwhelmed(self.log)

        def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
            wanted = 4 - len(assumptions)
            return super().check(assumptions, timeout) if wanted == 1 else Answer(Status.UNKNOWN, TIME_LIMIT)

    with Overwhelmed([]) as solver:
        result = fixpoint(ready(chain(3, 4)), solver, Budget())
    assert set(result.kept) == set(found(chain(3, 4)).kept)
    assert result.queries == 3 * 5


def test_solvers_are_closed_when_a_group_is_done_and_when_something_goes_wrong() -> None:
    log: list[str] = []

    class Failing(Watched):
        def another(self, thorough: bool = False, effort: float | None = None) -> Failing:
            self.log.append("open")
            return Failing(self.log)

        def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Failing(log) as solver:
        fixpoint(ready(chain(3, 4)), solver, Budget())
    assert log == ["open", "close", "close"]


def test_a_large_group_has_no_more_than_so_many_solvers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Preconditions make one group of all procedures; what is dropped is asked for again in a solver of its own."""
    monkeypatch.setattr("paddock.engines.houdini.fixpoint.MOST_SOLVERS", 2)
    log: list[str] = []
    procedures = [f"procedure P{n}(x: int) requires a ==> x > 5; {{ call P{n + 1}(x - 1); }}" for n in range(8)]
    text = (
        f"{' '.join(procedures)} procedure P8(x: int) requires b ==> x > 5; {{ }} procedure main() {{ call P0(12); }}"
    )
    with Watched(log) as solver:
        assert not fixpoint(ready(text), solver, Budget()).kept
    open_ = [log[:n].count("open") - log[:n].count("close") for n in range(len(log))]
    assert max(open_) == 3  # one is closed when the next is there
    assert log.count("open") + 1 == log.count("close")


def test_deep_call_graphs_are_no_trouble() -> None:
    depth = 2000
    procedures = [f"procedure P{n}() modifies g; {{ call P{n + 1}(); }}" for n in range(depth)]
    text = (
        "var g: int;"
        f"{' '.join(procedures)} procedure P{depth}() modifies g; ensures b ==> g == 1; {{ g := 1; }}"
        "procedure main() modifies g; { call P0(); assert true; }"
    )
    assert kept(text) == {"b"}
