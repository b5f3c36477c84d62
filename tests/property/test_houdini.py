"""What Houdini keeps is true of every run, is the most that can be proved, and changes no verdict."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Verdict
from paddock.engines.houdini.fixpoint import fixpoint
from paddock.engines.houdini.infer import Houdini
from paddock.engines.houdini.obligations import obligations
from paddock.engines.houdini.proving import ProcedureCheck
from paddock.engines.inlining.engines import ENGINES as BY_NAME
from paddock.engines.inlining.engines import with_merge
from paddock.engines.inlining.merging import MERGES
from paddock.engines.inlining.search import Question, search
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.expr import Var
from paddock.ir.modref import mod_ref
from paddock.ir.program import Clause, Procedure, Program
from paddock.ir.stmt import Assert, Assume, Block, Statement
from paddock.passes.candidates import (
    NewCandidates,
    guard_of,
    guards,
    offered,
    resolved,
    unguarded,
    without_candidates,
)
from paddock.passes.loop_candidates import loop_candidates
from paddock.passes.offer_candidates import with_candidates as more_candidates
from paddock.passes.reach_goal import as_reachability, without_goal
from paddock.passes.registry import run_passes
from paddock.passes.template_candidates import template_candidates, templates_of
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Failed, Returned
from tests.property.examples import examples
from tests.property.executable_programs import ORDINARY, Shape, executable_programs, few_values
from tests.property.goto_programs import programs

MAX_RUNS = 400
FLAT = Shape(loops=False, recursive=False)

# Over the variables of `executable_programs`; most of these are false of most procedures, but not all.
_ENSURED = [
    "g == old(g)", "k >= old(k)", "r <= 3", "r == x", "b ==> r == 0", "old(b) ==> b", "g <= 3", "0 <= g && g <= 3",
    "m[0] == old(m[0])", "old(g) == 3 ==> k == old(k)", "r == old(g)", "k != 2", "r >= 0", "n > 0 || r == x",
]  # fmt: skip
_REQUIRED = ["x <= 3", "n >= 0", "0 <= x", "g == 0", "k <= 3 && g <= 3", "!b", "n <= 2", "k == 1 || g == 3"]

# Tried on every procedure that can fail, of a program with an error bit.
_OF_FAILURES = """
    ensures !err; ensures old(b) ==> !err; ensures old(g) <= 3 ==> !err; ensures err ==> old(g) != 0;
    ensures err ==> g == old(g); ensures err || b == old(b);
"""


@st.composite
def templates(draw: st.DrawFn) -> str:
    """A template for the procedures of `executable_programs`."""
    ensured = draw(st.lists(st.sampled_from(_ENSURED), max_size=6, unique=True))
    required = draw(st.lists(st.sampled_from(_REQUIRED), max_size=4, unique=True))
    clauses = [f"  ensures {c};\n" for c in ensured] + [f"  requires {c};\n" for c in required]
    return "procedure {:template} T(n: int, x: int) returns (r: int);\n" + "".join(clauses)


def guarded(text: str, chance: Random) -> str:
    """The program with candidates of its own, in Boogie's convention: contracts, and invariants of loops."""
    names: list[str] = []

    def candidate(kind: str, conditions: list[str]) -> str:
        names.append(f"keep{len(names)}")
        return f"{kind} {names[-1]} ==> {chance.choice(conditions)};"

    def contract(header: re.Match[str]) -> str:
        clauses = [candidate("ensures", _ENSURED), candidate("ensures", _ENSURED), candidate("requires", _REQUIRED)]
        return f"{header[0]}\n  {' '.join(clauses)}"

    text = re.sub(r"procedure P.*\n  modifies .*;", contract, text)
    text = re.sub(r"while \(i.*?\)", lambda guard: f"{guard[0]} {candidate('invariant', _REQUIRED)}", text)
    return f"const {{:existential true}} {', '.join([*names, 'keep'])}: bool;\n{text}"


def prepared(text: str) -> tuple[Program, Program, tuple[Procedure, ...]]:
    loaded = load([Source(text)], [Source(_OF_FAILURES)])
    original, ready = (
        run_passes(with_entry(program, entry_name(program)), ["merge-implementations"])
        for program in (without_candidates(loaded), offered(loaded))
    )
    return original, loop_candidates(run_passes(ready, ["check-specs", "extract-loops", "prune"])), templates_of(loaded)


def with_candidates(text: str, goal: str, preconditions: bool = False) -> Program:
    _, ready, given_templates = prepared(text)
    return more_candidates(without_goal(as_reachability(ready, goal)), given_templates, preconditions)


def kept_of(program: Program) -> set[Var]:
    with Z3Solver() as solver:
        return set(fixpoint(program, solver, Budget()).kept)


def checked(program: Program, kept: Collection[Var]) -> Program:
    """The program in which what is kept is asserted, and nothing else."""
    known = guards(program)

    def asserted(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        return tuple(replace(c, free=guard_of(c.condition, known) is None) for c in clauses)

    def block(b: Block) -> Block:
        return replace(b, statements=tuple(s for old in b.statements for s in statement(old)))

    def statement(s: Statement) -> Iterator[Statement]:
        guard = guard_of(s.condition, known) if isinstance(s, Assume) else None
        if guard is None:
            yield s
        elif guard in kept:
            assert isinstance(s, Assume)
            yield Assert(unguarded(s.condition, guard), origin=s.origin)

    def procedure(p: Procedure) -> Procedure:
        bodies = tuple(replace(i, blocks=tuple(map(block, i.blocks))) for i in p.implementations)
        return replace(p, requires=asserted(p.requires), ensures=asserted(p.ensures), implementations=bodies)

    return resolved(replace(program, procedures=tuple(map(procedure, program.procedures))), kept)


def check_on_runs(text: str, goal: str, preconditions: bool) -> None:
    program = with_candidates(text, goal, preconditions)
    asserting = checked(program, kept_of(program))
    for run in islice(every_run(asserting, None, few_values, Limits(steps=3000)), MAX_RUNS):
        assert not isinstance(run.outcome, Failed), str(run.outcome.what)


GOALS = st.sampled_from(["assertion", "return"])
TEXTS = st.builds(
    lambda text, template, chance: guarded(text, chance) + template,
    executable_programs(),
    templates(),
    st.randoms(use_true_random=False),
)


@settings(max_examples=5)
@given(text=TEXTS, goal=GOALS, preconditions=st.booleans())
def test_what_is_kept_holds_on_concrete_runs(text: str, goal: str, preconditions: bool) -> None:
    check_on_runs(text, goal, preconditions)


@pytest.mark.slow
@settings(max_examples=200)
@given(text=TEXTS, goal=GOALS, preconditions=st.booleans())
def test_what_is_kept_holds_on_many_concrete_runs(text: str, goal: str, preconditions: bool) -> None:
    check_on_runs(text, goal, preconditions)


# --- the fixpoint ----------------------------------------------------------------------------------


def shuffled(program: Program, chance: Random) -> Program:
    """The program with all that has no order in another one."""

    def clauses(given: tuple[Clause, ...]) -> tuple[Clause, ...]:
        return tuple(chance.sample(given, len(given)))

    procedures = [replace(p, requires=clauses(p.requires), ensures=clauses(p.ensures)) for p in program.procedures]
    constants = chance.sample(program.constants, len(program.constants))
    chance.shuffle(procedures)
    return replace(program, constants=tuple(constants), procedures=tuple(procedures))


def naively(program: Program, chance: Random) -> set[Var]:
    """Houdini without groups, without a worklist, one candidate at a time: until nothing is dropped any more."""
    left = set(guards(program)) - {
        g
        for c in program.procedure_named[entry_name(program)].requires
        if (g := guard_of(c.condition, guards(program)))
    }
    bodies = [p for p in program.procedures if p.implementations]
    while True:
        before = set(left)
        for procedure in chance.sample(bodies, len(bodies)):
            due = obligations(program, procedure, without_bodies(program), left)
            goals = sorted(due.fails, key=lambda v: v.name)
            for goal in chance.sample(goals, len(goals)):
                alone = replace(due, fails={goal: due.fails[goal]})
                with Z3Solver() as solver:
                    check = ProcedureCheck(alone, solver, lambda s, assumptions: s.check(assumptions))
                    left -= set(check.settle(left))
        if left == before:
            return left


def without_bodies(program: Program) -> dict[str, Procedure]:
    effects = mod_ref(program)
    return {p.name: replace(p, modifies=effects[p.name].modifies, implementations=()) for p in program.procedures}


@settings(max_examples=4)
@given(text=TEXTS, goal=GOALS, chance=st.randoms(use_true_random=False))
def test_the_order_makes_no_difference(text: str, goal: str, chance: Random) -> None:
    program = with_candidates(text, goal, preconditions=True)
    kept = kept_of(program)
    assert kept_of(shuffled(program, chance)) == kept


@examples(3, 50)
@given(text=st.builds(str.__add__, executable_programs(Shape(statements=2)), templates()), chance=st.randoms())
def test_the_fixpoint_is_the_greatest(text: str, chance: Random) -> None:
    _, ready, given_templates = prepared(text)
    new = NewCandidates(without_goal(as_reachability(ready, "assertion")))
    template_candidates(new, given_templates)
    program = new.program()
    assert kept_of(program) == naively(program, chance)


@settings(max_examples=5)
@given(text=executable_programs(FLAT), goal=GOALS)
def test_without_recursion_there_are_at_most_as_many_questions_as_candidates(text: str, goal: str) -> None:
    program = with_candidates(text, goal)
    most = max(len(p.ensures) for p in program.procedures)  # of one procedure, its own postconditions included
    with Z3Solver() as solver:
        found = fixpoint(program, solver, Budget())
    assert found.queries <= len(guards(program)) <= most * len(program.procedures)


# --- verdicts --------------------------------------------------------------------------------------

ENGINES = [
    ("eager", "tree"),
    ("stratified", "tree"),
    ("dag", "first"),
    ("dag", "maxc"),
    ("dag", "opt"),
    ("alternating", "first"),
]


def check_verdicts(text: str, goal: str, engine: str, merge: str, preconditions: bool) -> None:
    original, ready, given_templates = prepared(text)

    def answer(houdini: Houdini | None) -> Verdict:
        question = Question(
            goal, with_merge(BY_NAME[engine], MERGES[merge]), 2, 2, facts=False, seed=1, houdini=houdini
        )
        with Z3Solver() as solver:
            outcome, _ = search(original, ready, question, solver, Budget(5.0))
        assume(outcome.reason != "time limit")
        assert outcome.verdict is not Verdict.UNKNOWN, outcome.reason
        return outcome.verdict

    without, with_ = answer(None), answer(Houdini(None, given_templates, preconditions))
    assert (with_ is Verdict.BUG) == (without is Verdict.BUG)
    if without is Verdict.PROVED:
        assert with_ is Verdict.PROVED
    if with_ is Verdict.PROVED:
        wanted = Failed if goal == "assertion" else Returned
        runs = every_run(original, None, few_values, Limits(steps=2000))
        assert not any(isinstance(run.outcome, wanted) for run in islice(runs, MAX_RUNS))


ANY_PROGRAM = st.one_of(TEXTS, programs())


@settings(max_examples=8)
@given(text=ANY_PROGRAM, goal=GOALS, engine=st.sampled_from(ENGINES), preconditions=st.booleans())
def test_verdicts_agree(text: str, goal: str, engine: tuple[str, str], preconditions: bool) -> None:
    check_verdicts(text, goal, *engine, preconditions)


@pytest.mark.slow
@settings(max_examples=200)
@given(text=ANY_PROGRAM, goal=GOALS, engine=st.sampled_from(ENGINES), preconditions=st.booleans())
def test_verdicts_agree_on_many_programs(text: str, goal: str, engine: tuple[str, str], preconditions: bool) -> None:
    check_verdicts(text, goal, *engine, preconditions)


# --- the whole check -------------------------------------------------------------------------------

WAYS = [
    Options.of(deep_asserts=False),
    Options.of(deep_asserts=False, all_assertions=True),
    Options(),
    Options.of(deep_asserts=True, engine="stratified", facts=False),
    Options.of(all_assertions=True, engine="stratified", facts=False, deep_asserts=False),
    Options.of(engine="alternating"),
    Options.of(engine="alternating", deep_asserts=True, facts=False),
    Options.of(engine="alternating", all_assertions=True, facts=False),
    Options.of(solver="cvc5", facts=False),
]


def check_whole(text: str, way: Options) -> None:
    program = paddock.load(text)
    runs = list(islice(every_run(without_candidates(program), None, few_values, Limits(steps=3000)), MAX_RUNS + 1))
    assume(len(runs) <= MAX_RUNS)
    can_fail = any(isinstance(run.outcome, Failed) for run in runs)
    result = paddock.check(program, way.changed(houdini=True, timeout=10, **ORDINARY.bounds))
    assume(not result.reason.startswith("time limit"))
    assert (result.verdict is Verdict.BUG) == can_fail, (result.verdict, result.reason)
    assert can_fail or result.verdict is not Verdict.UNKNOWN, result.reason


@settings(max_examples=8)
@given(text=TEXTS, way=st.sampled_from(WAYS))
def test_verdicts_of_whole_checks_are_right(text: str, way: Options) -> None:
    check_whole(text, way)


@pytest.mark.slow
@settings(max_examples=200)
@given(text=TEXTS, way=st.sampled_from(WAYS))
def test_verdicts_of_many_whole_checks_are_right(text: str, way: Options) -> None:
    check_whole(text, way)
