"""Programs with threads: what is found within a number of contexts is what there is, on random programs, compared with
all their schedules."""

from __future__ import annotations

import pytest

from paddock.driver.pipeline import check
from paddock.engines.inlining.engines import ENGINES
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.printer import program_text
from paddock.ir.program import Program
from paddock.ir.stmt import Assert
from paddock.ir.threads import has_threads, statements_in
from paddock.ir.validate import check_valid
from paddock.options import Options
from paddock.passes.mark_entry import MarkEntry
from paddock.passes.registry import run_passes
from paddock.passes.sequentialise import rounds_for
from paddock.report.result import Result, Verdict
from tests.property.concurrent_programs import concurrent_program
from tests.property.thread_explorer import TooManyStates, failures


def failing_lines(result: Result) -> set[int]:
    """The lines of assertions that fail. Nothing is unknown, and each failure has a run to show."""
    for assertion in result.assertions:
        assert assertion.verdict is not Verdict.UNKNOWN, assertion.reason
        assert bool(assertion.trace) == (assertion.verdict is Verdict.BUG)
    return {a.line for a in result.assertions if a.verdict is Verdict.BUG}


def rounds_of(program: Program, contexts: int) -> int:
    return rounds_for(run_passes(MarkEntry("")(program), ["explicit-yields"]), contexts)


# Whatever searches the sequential program must find the same.
VARIANTS: tuple[dict[str, object], ...] = (
    *({"engine": engine} for engine in ENGINES),
    {"engine": "symbolic", "scheme": "rounds"},
    {"houdini": True},
    {"implications": True},
    {"facts": False},
    {"refine": "alg2"},
    {"refine": "core"},
)


def check_against_schedules(seed: int, contexts: int, yields: bool, locks: bool = False, **options: object) -> bool:
    """Whether the program was small enough to be compared."""
    text = concurrent_program(seed, yields, locks=locks)
    program = load([Source(text, "p.bpl")], check_modifies=False)
    preemptive = not any(line.strip() == "yield;" for line in text.splitlines())
    try:
        expected = failures(program, preemptive, rounds_of(program, contexts))
    except TooManyStates:
        return False
    every = "refine" not in options  # which looks for one bug
    result = check(program, Options.of(contexts=contexts, all_assertions=every, **options))
    if every:
        assert failing_lines(result) == expected, text
    else:
        assert result.verdict is not Verdict.UNKNOWN, text
        assert (result.verdict is Verdict.BUG) == bool(expected), text
    return True


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: ",".join(f"{k}={v}" for k, v in options.items()))
def test_all_ways_to_search(options: dict[str, object]) -> None:
    compared = sum(check_against_schedules(seed, 2, bool(seed % 2), **options) for seed in (101, 104))
    assert compared > 0


def check_waiting(seed: int, contexts: int, yields: bool, **options: object) -> bool:
    """Programs with numbers of threads, `par` and waiting for threads; all that is spelled out before their schedules
    are looked at."""
    program = load([Source(text := concurrent_program(seed, yields, waits=True), "p.bpl")], check_modifies=False)
    explicit = run_passes(MarkEntry("")(program), ["infer-modifies", "explicit-yields"])
    if not has_threads(explicit):
        return False
    try:
        expected = failures(explicit, False, rounds_for(explicit, contexts))
    except TooManyStates:
        return False
    result = check(program, Options.of(contexts=contexts, all_assertions=True, **options))
    assert failing_lines(result) == expected, text
    return True


@pytest.mark.parametrize("engine", ["dag", "symbolic"])
@pytest.mark.parametrize("yields", [False, True])
def test_threads_that_are_waited_for(yields: bool, engine: str) -> None:
    compared = sum(check_waiting(seed, 1 + seed % 3, yields, engine=engine) for seed in range(300, 305))
    assert compared > 2


def check_lifted(seed: int, contexts: int, yields: bool) -> bool:
    """Theorem 5.1 of the deep-asserts paper: what fails is the same after assertions have been lifted, and before that,
    after switches have been written down. Within a bound, both schemes find what fails in the lifted program, and it
    can be replayed."""
    text = concurrent_program(seed, yields)
    program = load([Source(text, "p.bpl")], check_modifies=False)
    preemptive = not any(line.strip() == "yield;" for line in text.splitlines())
    explicit = run_passes(MarkEntry("")(program), ["infer-modifies", "explicit-yields"])
    lifted = run_passes(explicit, ["deep-threads", "prune"])
    check_valid(lifted)
    (asserting,) = {p.name for p in lifted.procedures for s in statements_in(p) if isinstance(s, Assert)} or {
        "main_first"
    }
    assert asserting == "main_first"
    try:
        expected = failures(program, preemptive, None)
        assert failures(explicit, False, None) == expected, text
        assert failures(lifted, False, None) == expected, text
        within = failures(lifted, False, rounds_for(explicit, contexts))
    except TooManyStates:
        return False
    found = failing_lines(check(program, Options.of(contexts=contexts, all_assertions=True, deep_asserts=True)))
    assert found == within, text
    written = load([Source(program_text(lifted), "lifted.bpl")], check_modifies=False)
    by_turns = Options.of(contexts=contexts, all_assertions=True, engine="symbolic", preemptive=False)
    assert failing_lines(check(written, by_turns)) == failures(written, False, rounds_for(lifted, contexts)), text
    return True


@pytest.mark.parametrize("yields", [False, True])
def test_lifted_assertions(yields: bool) -> None:
    compared = sum(check_lifted(seed, 1 + seed % 3, yields) for seed in range(200, 208))
    assert compared > 2


def test_a_thread_that_is_handed_over_after_the_failure() -> None:
    """The rounds after it are arbitrary: what is chosen there is not part of the run."""
    assert check_lifted(5247, contexts=2, yields=True)


def test_a_thread_that_ends_after_another_has_read_and_before_it_is_waited_for() -> None:
    """A step that waits does not come before the end that it waits for: the thread may be switched before it."""
    assert check_waiting(2720, contexts=2, yields=False, engine="symbolic")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_lifted_assertions_of_many_programs(part: int) -> None:
    for seed in range(5000 + part * 100, 5100 + part * 100):
        check_lifted(seed, contexts=1 + seed // 2 % 3, yields=bool(seed % 2))


@pytest.mark.parametrize("contexts", [1, 2, 3])
@pytest.mark.parametrize("yields", [False, True])
def test_all_schedules_within_the_bound(contexts: int, yields: bool) -> None:
    compared = sum(check_against_schedules(seed, contexts, yields) for seed in range(9))
    assert compared > 4


@pytest.mark.parametrize("contexts", [1, 2, 3])
@pytest.mark.parametrize("yields", [False, True])
def test_all_schedules_within_the_bound_by_turns(contexts: int, yields: bool) -> None:
    compared = sum(check_against_schedules(seed, contexts, yields, engine="symbolic") for seed in range(20, 29))
    assert compared > 4


def test_all_schedules_of_threads_with_locks() -> None:
    compared = sum(
        check_against_schedules(seed, 2, yields=False, locks=True, engine="symbolic") for seed in range(40, 50)
    )
    assert compared > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_all_schedules_of_many_threads_with_locks(part: int) -> None:
    for seed in range(7000 + part * 100, 7100 + part * 100):
        check_against_schedules(seed, 1 + seed % 3, yields=seed % 5 == 0, locks=True, engine="symbolic")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all_schedules_of_many_programs(part: int) -> None:
    for seed in range(1000 + part * 100, 1100 + part * 100):
        options = VARIANTS[seed % 20] if seed % 20 < len(VARIANTS) else {}
        check_against_schedules(seed, contexts=1 + seed % 3, yields=bool(seed % 2), **options)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all_schedules_of_many_programs_by_turns(part: int) -> None:
    for seed in range(1000 + part * 100, 1100 + part * 100):
        check_against_schedules(seed, contexts=1 + seed // 2 % 3, yields=bool(seed % 2), engine="symbolic")
        check_waiting(seed, contexts=1 + seed // 2 % 3, yields=bool(seed % 2), engine="symbolic")
