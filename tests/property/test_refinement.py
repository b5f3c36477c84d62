"""Variable abstraction and refinement: Theorem 1 and Lemma 1 of Corral, and verdicts that do not depend on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import paddock
from paddock import Options, Result, Verdict
from paddock.engines.refinement import spurious
from paddock.engines.refinement.algorithms import Checks, hrefine, storm
from paddock.engines.refinement.spurious import Refined, SpuriousPath
from paddock.ir.build import FALSE, TRUE, eq
from paddock.ir.expr import Var
from paddock.ir.program import Axiom, Program, global_var
from paddock.ir.types import INT
from paddock.options.groups import REFINEMENTS
from paddock.passes.abstract_globals import abstracted, parameterised
from paddock.passes.check_specs import check_specs
from paddock.solvers.z3.solver import Z3Solver
from tests.property.executable_programs import Shape, executable_programs
from tests.property.goto_programs import programs
from tests.property.spurious_paths import random_path, spurious_path

ALGORITHMS = [name for name in REFINEMENTS if name != "none"]
MOST_GLOBALS = 300


def most_checks(undecided: int, needed: int) -> int:
    """Lemma 1: (b), and (a) with the factor of its proof."""
    return min(max(2 * undecided - 1, 0), 2 * needed * math.ceil(math.log2(max(undecided, 1))) + 1)


# --- the algorithms, by what `check` might say -----------------------------------------------------


class Answers:
    """A `check` that knows which sets suffice; it counts and believes nothing that it could infer."""

    def __init__(self, sufficient: Sequence[frozenset[Var]]) -> None:
        self.sufficient = sufficient
        self.count = 0

    def is_correct(self, tracked: frozenset[Var]) -> bool:
        return any(enough <= tracked for enough in self.sufficient)

    def __call__(self, tracked: Sequence[Var]) -> bool:
        self.count += 1
        return self.is_correct(frozenset(tracked))


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[Var], list[Var], Answers]:
    """Globals that are tracked, others, and the sets of them that suffice: all of them do."""
    chance = draw(st.randoms(use_true_random=False))
    size = draw(st.integers(1, MOST_GLOBALS))
    variables = [global_var(f"g{n}", INT) for n in range(size)]
    tracked = draw(st.integers(0, size))
    sets = [
        frozenset(chance.sample(variables, draw(st.sampled_from([0, 1, 1, 2, 3, 10, size])) % (size + 1)))
        for _ in range(draw(st.integers(1, 4)))
    ]
    return variables[:tracked], variables[tracked:], Answers(sets)


@pytest.mark.parametrize("algorithm", [storm, hrefine])
@settings(max_examples=50)
@given(question=questions())
def test_what_suffices_is_minimal(
    algorithm: Callable[..., list[Var]], question: tuple[list[Var], list[Var], Answers]
) -> None:
    tracked, undecided, answers = question
    found = algorithm(answers, tracked, undecided)
    check_theorem_1(found, tracked, undecided, answers.is_correct)
    if algorithm is hrefine:
        assert answers.count <= most_checks(len(undecided), len(found) - len(tracked))
    else:
        assert answers.count == len(undecided)


@settings(max_examples=50)
@given(question=questions())
def test_what_is_known_is_not_asked_again(question: tuple[list[Var], list[Var], Answers]) -> None:
    tracked, undecided, answers = question
    expected, asked = hrefine(answers, tracked, undecided), answers.count
    checks = Checks(answers)
    answers.count = 0
    assert hrefine(checks, tracked, undecided) == expected
    assert checks.count == answers.count <= asked


def check_theorem_1(
    found: Sequence[Var], tracked: Sequence[Var], undecided: Sequence[Var], is_correct: Callable[[frozenset[Var]], bool]
) -> None:
    """T ⊆ R ⊆ G - D, R suffices, and nothing between T and R does: by monotonicity it is enough to leave out one."""
    needed = set(found) - set(tracked)
    assert set(tracked) <= set(found)
    assert needed <= set(undecided)
    assert len(found) == len(set(found))
    assert is_correct(frozenset(found))
    for var in sorted(needed, key=lambda v: v.name):
        assert not is_correct(frozenset(found) - {var})


# --- the algorithms, on paths ----------------------------------------------------------------------


def check_refinements(text: str, tracked: int, algorithms: Sequence[str]) -> None:
    with Z3Solver() as solver:
        path = spurious_path(text, solver, tracked)
        with path.parameterised() as formula:
            for name in algorithms:
                refined = spurious.REFINEMENTS[name](path)
                check_theorem_1(refined.tracked, path.tracked, path.undecided, lambda s: formula.is_infeasible([*s]))
                check_number_of_checks(name, path, refined)


def check_number_of_checks(name: str, path: SpuriousPath, refined: Refined) -> None:
    undecided = len(path.undecided)
    if name == "storm":
        assert refined.checks <= undecided
    else:
        first = 1 if name == "core" else 0  # the query that the core comes from
        assert refined.checks <= most_checks(undecided, len(refined.tracked) - len(path.tracked)) + first


@settings(max_examples=4)
@given(chance=st.randoms(use_true_random=False), globals_=st.integers(1, 15), share=st.sampled_from([0, 0, 0.3, 1]))
def test_refinements_of_paths_are_minimal(chance: Random, globals_: int, share: float) -> None:
    check_refinements(random_path(chance, globals_, 2 * globals_), int(share * globals_), ALGORITHMS)


@settings(max_examples=3)
@given(chance=st.randoms(use_true_random=False), globals_=st.integers(50, MOST_GLOBALS))
def test_refinements_of_paths_with_many_globals_are_minimal(chance: Random, globals_: int) -> None:
    check_refinements(random_path(chance, globals_, globals_), 0, ["alg2", "core"])


@pytest.mark.slow
@settings(max_examples=30)
@given(chance=st.randoms(use_true_random=False), globals_=st.integers(1, MOST_GLOBALS), length=st.integers(1, 600))
def test_refinements_of_many_paths_are_minimal(chance: Random, globals_: int, length: int) -> None:
    check_refinements(random_path(chance, globals_, length), 0, ALGORITHMS)


@settings(max_examples=4)
@given(chance=st.randoms(use_true_random=False), globals_=st.integers(1, 12), data=st.data())
def test_both_forms_of_check_agree(chance: Random, globals_: int, data: st.DataObject) -> None:
    with Z3Solver() as solver:
        path = spurious_path(random_path(chance, globals_, 3 * globals_), solver)
        with path.parameterised() as formula:
            for _ in range(5):
                chosen = data.draw(st.lists(st.sampled_from(path.undecided), unique=True))
                assert path.is_infeasible(chosen) == formula.is_infeasible(chosen)


# --- whole programs --------------------------------------------------------------------------------

SMALL = Shape(procedures=3, statements=2)
WAYS = [
    ("dag", "first"),
    ("stratified", "tree"),
    ("eager", "tree"),
    ("dag", "opt"),
    ("dag", "maxc"),
    ("alternating", "first"),
]


def verdicts(result: Result) -> tuple[object, ...]:
    """What must agree. A proof may be missed where an abstraction has less to go by: then it is `bounded`."""

    def shown(verdict: Verdict) -> Verdict:
        return Verdict.PROVED if verdict is Verdict.BOUNDED else verdict

    of_each = [(a.id, shown(a.verdict)) for a in result.assertions] if result.all_assertions else []
    return shown(result.verdict), of_each


def check_agreement(
    text: str, refinements: Sequence[str], way: tuple[str, str], bound: int, what: str, parts: Mapping[str, bool]
) -> None:
    """Check that each refinement finds the bugs that there are without any part, and no others; but for lifted
    assertions, with which a bound reaches deeper."""
    program = paddock.load(text)
    engine, merge = way
    goal = "return" if what == "return" else "assertion"
    plain = Options.of(
        engine=engine,
        merge=merge,
        recursion_bound=bound,
        goal=goal,
        all_assertions=what == "all",
        deep_asserts=parts.get("deep_asserts", False),
        timeout=5,
    )
    options = plain.changed(**parts)
    expected = paddock.check(program, plain)
    assume("time limit" not in expected.reason)
    for name in refinements:
        result = paddock.check(program, options.changed(refine=name))
        assume("time limit" not in result.reason)
        assert verdicts(result) == verdicts(expected), (name, result.reason, expected.reason)


WHAT = st.sampled_from(["first", "all", "return"])
PARTS = st.dictionaries(st.sampled_from(["deep_asserts", "houdini", "facts"]), st.booleans())


@settings(max_examples=4)
@given(text=executable_programs(SMALL), way=st.sampled_from(WAYS), bound=st.sampled_from([1, 2, 4]), what=WHAT)
def test_verdicts_do_not_depend_on_refinement(text: str, way: tuple[str, str], bound: int, what: str) -> None:
    check_agreement(text, ALGORITHMS, way, bound, what, {})


@settings(max_examples=15)
@given(text=programs(), name=st.sampled_from(ALGORITHMS), way=st.sampled_from(WAYS), what=WHAT, parts=PARTS)
def test_verdicts_on_jumps_and_contracts_do_not_depend_on_refinement(
    text: str, name: str, way: tuple[str, str], what: str, parts: dict[str, bool]
) -> None:
    check_agreement(text, [name], way, 2, what, parts)


@settings(max_examples=6)
@given(text=programs(), what=WHAT)
def test_verdicts_do_not_depend_on_whose_turn_it_is(text: str, what: str) -> None:
    program, goal = paddock.load(text), "return" if what == "return" else "assertion"
    single = Options.of(recursion_bound=2, goal=goal, all_assertions=what == "all", timeout=5, strategy="single")
    expected = paddock.check(program, single)
    with (
        patch("paddock.driver.strategies.FIRST_ALLOWANCE", 0.001),
        patch("paddock.driver.searching.FIRST_ALLOWANCE", 0.001),
    ):
        result = paddock.check(program, single.changed(strategy="auto"))
    assume("time limit" not in expected.reason + result.reason)
    assert verdicts(result) == verdicts(expected), (result.strategy, result.reason, expected.reason)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALGORITHMS)
@settings(max_examples=40)
@given(
    text=st.one_of(programs(), executable_programs()),
    way=st.sampled_from(WAYS),
    bound=st.sampled_from([1, 2, 4]),
    what=WHAT,
    parts=PARTS,
)
def test_verdicts_on_many_programs_do_not_depend_on_refinement(
    name: str, text: str, way: tuple[str, str], bound: int, what: str, parts: dict[str, bool]
) -> None:
    check_agreement(text, [name], way, bound, what, parts)


# --- the abstraction -------------------------------------------------------------------------------


def bugs(program: Program) -> set[tuple[int, int, str]]:
    """The places of assertions that can fail within a bound."""
    result = paddock.check(program, Options.of(recursion_bound=2, all_assertions=True, timeout=5))
    assume("time limit" not in result.reason)
    return {(a.line, a.column, a.kind) for a in result.assertions if a.verdict is Verdict.BUG}


def has_bug(program: Program) -> bool:
    result = paddock.check(program, Options.of(recursion_bound=2, timeout=5))
    assume("time limit" not in result.reason)
    return result.verdict is Verdict.BUG


@settings(max_examples=5)
@given(text=executable_programs(SMALL), data=st.data())
def test_an_abstraction_can_do_all_that_the_program_can(text: str, data: st.DataObject) -> None:
    program = check_specs(paddock.load(text))
    more = data.draw(st.lists(st.sampled_from([g.var for g in program.globals]), unique=True))
    fewer = [v for v in more if data.draw(st.booleans())]
    assert bugs(program) <= bugs(abstracted(program, more)) <= bugs(abstracted(program, fewer))


@settings(max_examples=5)
@given(text=executable_programs(SMALL), data=st.data())
def test_the_constants_of_the_parameterised_form_choose_the_abstraction(text: str, data: st.DataObject) -> None:
    program = check_specs(paddock.load(text))
    tracked = data.draw(st.lists(st.sampled_from([g.var for g in program.globals]), unique=True))
    form = parameterised(program, ())
    chosen = (Axiom(eq(c, TRUE if g in tracked else FALSE)) for g, c in form.decides.items())
    assert has_bug(replace(form.program, axioms=tuple(chosen))) == has_bug(abstracted(program, tracked))
