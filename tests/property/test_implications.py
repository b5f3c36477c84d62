"""An implication that is reported never fails on a concrete execution, whether or not assertions hold on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings

from paddock.ir.build import TRUE, and_
from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.origin import Origin
from paddock.ir.program import Program, VarDecl, global_var
from paddock.ir.stmt import Assert, Assign, Block, Statement
from paddock.ir.types import BOOL
from paddock.passes.rewriting import with_prologue
from paddock.passes.switch_assertions import source_of
from paddock.search.assertions import sources_in
from paddock.search.implications.dai import Search, implications
from paddock.search.implications.relation import Relation
from paddock.search.outcome import Budget
from paddock.solvers.z3_solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Returned, Undetermined
from tests.property.goto_programs import programs, small
from tests.property.test_all_assertions import BOUND, prepared
from tests.property.test_engines import MAX_RUNS
from tests.property.test_ussa import original_of, ussa_of


def watched(program: Program) -> tuple[Program, dict[Origin, Var]]:
    """The program that asserts nothing, but keeps for each assertion whether it has held so far."""
    sources = sorted(sources_in(program), key=lambda o: (o.line, o.column, o.made_by))
    held = {source: global_var(f"held {n}", BOOL) for n, source in enumerate(sources)}

    def statements(block: Block) -> Iterator[Statement]:
        for statement in block.statements:
            if isinstance(statement, Assert):
                var = held[source_of(statement.origin)]
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


@settings(max_examples=40, deadline=None)
@given(text=programs())
def test_implications_hold_on_every_execution(text: str) -> None:
    check_implications(text)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(text=programs())
def test_implications_of_many_programs_hold_on_every_execution(text: str) -> None:
    check_implications(text)
