"""An implication that is reported never fails on a concrete execution, whether or not assertions hold on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import example, given, settings

from paddock.engines.assertions import Findings, sources_in, violated
from paddock.engines.implications.checking import Plan, check_by_implications
from paddock.engines.implications.dai import Search, implications
from paddock.engines.implications.observation import observed
from paddock.engines.implications.relation import Relation
from paddock.engines.implications.synthesis import proposed, with_assertions
from paddock.engines.inlining.search import Question
from paddock.engines.outcome import Budget
from paddock.ir.build import TRUE, and_
from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.origin import AssertionId
from paddock.ir.printer import program_text
from paddock.ir.program import Program, VarDecl, global_var
from paddock.ir.rewriting import with_prologue
from paddock.ir.stmt import Assert, Assign, Block, Statement
from paddock.ir.types import BOOL
from paddock.options.groups import ORDERS
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed, Returned, Undetermined
from paddock.verdict import Verdict
from tests.property.goto_programs import programs, small
from tests.property.test_all_assertions import BOUND, answer, answers, prepared, with_only
from tests.property.test_engines import MAX_RUNS
from tests.property.test_ussa import original_of, ussa_of


def watched(program: Program) -> tuple[Program, dict[AssertionId, Var]]:
    """The program that asserts nothing, but keeps for each assertion whether it has held so far."""
    sources = sorted(sources_in(program), key=lambda o: (o.line, o.column, o.nth, o.role))
    held = {source: global_var(f"held {n}", BOOL) for n, source in enumerate(sources)}

    def statements(block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            if isinstance(statement, Assert):
                var = held[statement.origin.identity()]
                yield Assign((var,), (and_(var, statement.condition),))
            else:
                yield statement

    start = (Assign(tuple(held.values()), (TRUE,) * len(held)),) if held else ()
    procedures = []
    for procedure in program.procedures:
        bodies = [
            replace(i, blocks=tuple(replace(b, statements=tuple(statements(b))) for b in i.blocks))
            for i in procedure.implementations
        ]
        if procedure.name == entry_name(program):
            bodies = [with_prologue(body, start) for body in bodies]
        procedures.append(replace(procedure, implementations=tuple(bodies)))
    globals_ = (*program.globals, *map(VarDecl, held.values()))
    return replace(program, globals=globals_, procedures=tuple(procedures)), held


def relation_of(original: Program, search: Search) -> Relation:
    with Z3Solver() as solver:
        return implications(ussa_of(original), search, solver, Budget())[0]


def check_implications(text: str) -> None:
    original = original_of(text)
    program, held = watched(prepared(original))
    relations = [relation_of(original, Search(threshold=1000, extended=extended)) for extended in (False, True)]
    assert set(relations[0].implications) <= set(relations[1].implications)
    assert all(i.forward for i in relations[0].implications)
    for run in islice(every_run(program, None, small, Limits(steps=2000, recursion=BOUND)), MAX_RUNS):
        if isinstance(run.outcome, Undetermined):
            continue
        known = {source: run.globals.get(var.name) for source, var in held.items()}
        for implication in relations[1].implications:
            if known[implication.stronger] is True and (implication.forward or isinstance(run.outcome, Returned)):
                assert known[implication.weaker] is not False, implication


def instrumented(text: str) -> str:
    """The program with assertions that held in some runs of it; in others they may fail."""
    original = original_of(text)
    program, candidates = proposed(original, observed(original, runs=4, seed=0), per_point=3)
    return program_text(with_assertions(program, candidates))


@settings(max_examples=4)
@given(text=programs())
def test_implications_hold_on_every_execution(text: str) -> None:
    check_implications(text)


@pytest.mark.slow
@settings(max_examples=200)
@given(text=programs())
def test_implications_of_many_programs_hold_on_every_execution(text: str) -> None:
    check_implications(text)


# That `end` is not reached from `run` can be seen only by a variable that is just another name for what P returns.
ANOTHER_NAME = """
var g: int where g == 0 || b;
var b, started: bool;
var fuel, out: int;
procedure P() returns (x: int) modifies g, fuel;
{
  l0: fuel := fuel - 1; assume fuel >= 0; g := 0; goto l0;
  l1: return;
}
procedure main() modifies g, b, fuel, started, out;
{
  start: goto first, again, end;
  first: assume !started; started, fuel := true, 4; goto run;
  again: assume started; fuel := fuel - 1; assume fuel >= 0; goto run;
  run: call out := P(); goto end;
  end: assume g == g && b == b && fuel == fuel && out == out; return;
}
"""


@settings(max_examples=2)
@example(ANOTHER_NAME)
@given(text=programs())
def test_implications_between_synthesised_assertions_hold_on_every_execution(text: str) -> None:
    check_implications(instrumented(text))


@pytest.mark.slow
@settings(max_examples=150)
@given(text=programs())
def test_implications_between_synthesised_assertions_of_many_programs_hold_on_every_execution(text: str) -> None:
    check_implications(instrumented(text))


def one_by_one(original: Program, order: str, search: Search) -> tuple[Findings, int]:
    """What checking assertions one by one finds, and how many checks that takes."""
    findings = Findings()
    question = Question(recursion_bound=BOUND, loop_bound=BOUND, all_assertions=True)
    plan = Plan(search, order)
    with Z3Solver() as solver:
        outcome, statistics = check_by_implications(
            original, prepared(original), question, plan, solver, Budget(), findings
        )
    assert outcome.verdict is not Verdict.UNKNOWN, outcome.reason
    return findings, statistics.checks


def check_orders(text: str) -> None:
    original = original_of(text)
    expected = answers(original, "dag")
    bugs = {source for source, found in expected.items() if found is Verdict.BUG}
    for order in ORDERS:
        for extended in (False, True):
            findings, checks = one_by_one(original, order, Search(extended=extended))
            assert set(findings.bugs) == bugs, (order, extended)
            assert set(findings.bounded) | set(findings.proved) == set(expected) - bugs
            assert not findings.undecided
            for source, run in findings.bugs.items():
                assert isinstance(run.outcome, Failed)
                assert violated(original, run.outcome) == source
            for source in findings.proved:
                assert answer(with_only(original, source), "dag", BOUND + 1) is not Verdict.BUG, (order, source)
            if order == "forward" and not extended:
                assert checks == sum(not through for through in findings.through.values())


@settings(max_examples=3)
@given(text=programs())
def test_verdicts_with_and_without_implications_agree(text: str) -> None:
    check_orders(text)


@pytest.mark.slow
@settings(max_examples=150)
@given(text=programs())
def test_verdicts_with_and_without_implications_agree_on_many_programs(text: str) -> None:
    check_orders(text)
