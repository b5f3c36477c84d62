"""Examples 1 and 2 of the assertion-implications paper, on its Fig. 1, and what goes beyond it (§5)."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

import paddock
from paddock.driver import implications as driver
from paddock.engines.implications import dai
from paddock.engines.implications.dai import Redundant, Search, implications, redundant
from paddock.engines.implications.dependency import dependent_before
from paddock.engines.implications.questions import Counts, Questions, _Session
from paddock.engines.implications.relation import Relation
from paddock.engines.implications.ussa import Step, Ussa
from paddock.engines.outcome import Budget
from paddock.ir.build import TRUE, eq, or_
from paddock.ir.program import local_var
from paddock.ir.stmt import Assert, Assign, Assume
from paddock.ir.types import BOOL
from paddock.options import Options
from paddock.solvers.z3.solver import Z3Solver
from paddock.workers.interface import Ended

FIG_1 = Path(__file__).parents[3] / "golden" / "implications" / "fig1.c"
# The lines of Fig. 1(b), in the order of the unwound program.
NAMES = (3, 5, 21, 24, 25, 26)


@pytest.fixture(scope="module")
def ussa() -> Ussa:
    options = Options.of(integers="math", unwind=2)
    return driver.unwound_within(driver.read([str(FIG_1)], options).prepared, options)


def found(ussa: Ussa, search: Search) -> tuple[set[tuple[int, int]], Relation, Counts]:
    with Z3Solver() as solver:
        relation, counts = implications(ussa, search, solver, Budget())
    name = dict(zip(relation.assertions, NAMES, strict=True))
    return {(name[i.stronger], name[i.weaker]) for i in relation.implications}, relation, counts


def test_example_1_dependent_assertions(ussa: Ussa) -> None:
    with Z3Solver() as solver:
        variables = Questions(ussa, solver, Budget(), 1.0, with_equalities=False).variables
    places = list(ussa.assertions())
    is_assertion = [n in places for n in range(len(ussa.steps))]
    name = dict(zip(places, NAMES, strict=True))
    pairs = {(name[k], name[n]) for n in places for k in dependent_before(n, 1000, variables, is_assertion)}
    assert {(3, 5), (25, 26), (21, 25)} <= pairs
    assert (5, 24) not in pairs


def test_example_2_the_relation(ussa: Ussa) -> None:
    pairs, relation, _ = found(ussa, Search(extended=False))
    assert pairs == {(3, 5), (25, 26)}
    assert [NAMES[relation.position[a]] for a in relation.strongest()] == [3, 21, 24, 25]
    assert not relation.everywhere  # the loop is cut off


def test_values_that_are_known_hide_no_dependency() -> None:
    """With equalities, neither assertion has a variable left."""
    program = paddock.load("procedure main() { var v: int; v := 3; assert v == 3; assert v >= 0; }")
    graphs = [
        paddock.implications(program, Options.of(extended=extended, implications=True, all_assertions=True))
        for extended in (False, True)
    ]
    assert [len(graph.implications) for graph in graphs] == [1, 2]


def test_equalities_from_before_and_the_reverse_direction(ussa: Ussa) -> None:
    pairs, relation, counts = found(ussa, Search())
    assert {(21, 25), (25, 21)} <= pairs
    assert {i.forward for i in relation.implications if i.stronger == relation.assertions[4]} == {True, False}
    assert counts.duplicates  # over equal variables, lines 21 and 25 are the same


def test_assertions_that_are_far_apart_are_not_asked_about(ussa: Ussa) -> None:
    pairs, _, counts = found(ussa, Search(threshold=1))
    assert {(3, 5), (25, 26)} <= pairs  # with one instruction and with none between
    assert not any((a, b) in pairs for a in (3, 5) for b in (24, 25, 26))
    assert counts.dependent < found(ussa, Search())[2].dependent


def test_several_assertions_may_imply_one_together() -> None:
    text = """
    procedure main(x: int, y: int) {
      assert {:id "low"} x >= y;
      assert {:id "other"} y != 5;
      assert {:id "high"} x <= y;
      assert {:id "same"} x == y;
    }
    """
    program = paddock.load(text)
    result = paddock.check(program, Options.of(all_assertions=True, implications=True))
    assert {a.id: a.how for a in result.assertions}["same"] == "implied by high and low"
    assert result.stats["checks"] == 3


def test_questions_that_differ_in_what_is_assigned_and_what_assumed(ussa: Ussa) -> None:
    steps: list[Step] = []
    for n in (0, 1):
        b, c, t, v = (local_var(f"{name}{n}", BOOL) for name in "bctv")
        one = [Step(b, Assume(c)), Step(TRUE, Assign((t,), (v,)))]
        other = [Step(v, Assign((b,), (c,))), Step(TRUE, Assume(t))]
        claims = [Step(TRUE, Assert(claim)) for claim in (or_(b, c, t, v), eq(t, v))]
        steps += [claims[0], *(other if n else one), claims[1]]
    with Z3Solver() as solver:
        questions = Questions(replace(ussa, steps=tuple(steps)), solver, Budget(), 1.0, with_equalities=False)
        assert questions.implies(0, 3)
        assert not questions.implies(4, 7)
        questions.close()


def test_several_processes_find_the_same(ussa: Ussa) -> None:
    with Z3Solver() as solver:
        alone, _ = implications(ussa, Search(), solver, Budget())
        together, counts = implications(ussa, Search(), solver, Budget(), jobs=2)
        assert redundant(ussa, Search(), solver, Budget()) == redundant(ussa, Search(), solver, Budget(), jobs=2)
    assert together == alone
    assert counts.queries


def test_what_a_process_does_not_find_is_found_without(ussa: Ussa, monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(executor: object, tasks: list[object]) -> list[Ended]:
        return [Ended(n, problem="the worker was ended") for n, _ in enumerate(tasks)]

    with Z3Solver() as solver:
        expected, _ = implications(ussa, Search(), solver, Budget())
        monkeypatch.setattr(dai, "run_all", dead)
        assert implications(ussa, Search(), solver, Budget(), jobs=2)[0] == expected


def test_what_a_process_has_found_counts_if_it_does_not_end(ussa: Ussa, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = _Session.ask

    def slower_and_slower(session: _Session, *question: object) -> object:
        session.queries += 1
        if session.queries > 6:
            time.sleep(60)
        return ask(session, *question)  # type: ignore[arg-type]

    with Z3Solver() as solver:
        whole, _ = implications(ussa, Search(), solver, Budget())
        monkeypatch.setattr(_Session, "ask", slower_and_slower)
        part, counts = implications(ussa, Search(), solver, Budget(3.0), jobs=2)
    assert part.implications
    assert set(part.implications) < set(whole.implications)
    assert counts.queries


def test_questions_can_be_written_down(tmp_path: Path) -> None:
    options = Options.of(all_assertions=True, implications=True, dump_smt=str(tmp_path))
    program = paddock.load("procedure main(x: int) { assert x > 2; assert x > 1; }")
    assert paddock.implications(program, options).stats["queries"] == len(list(tmp_path.iterdir()))


def test_nothing_is_asked_when_the_time_is_up(ussa: Ussa) -> None:
    with Z3Solver() as solver:
        relation, counts = implications(ussa, Search(), solver, Budget(0.0))
        assert redundant(ussa, Search(), solver, Budget(0.0)) == Redundant({}, {})
    assert counts.queries == 0
    assert all(i.forward for i in relation.implications)
