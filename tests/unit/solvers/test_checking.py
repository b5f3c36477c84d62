"""Queries: assumptions, cores, limits, interrupts, and solvers that do not disturb each other."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import (
    EFFORT_LIMIT,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Solver,
    SolverFailure,
    Status,
    Term,
)
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort, BitVecSort
from tests.unit.solvers.examples import assert_pigeons, negation, z3_command

HARD = 14  # holes: minutes of search
NAMES = ["z3", "cvc5", "smtlib"]


def open_named(name: str, **options: int) -> Solver:
    return open_solver(z3_command() if name == "smtlib" else name, seed=options.get("seed", 0))


def test_assumptions_hold_for_one_query(solver: Solver) -> None:
    p = solver.terms.constant("p", BOOL)
    solver.assert_(p)
    assert solver.check([negation(solver, p)]).status is Status.UNSAT
    assert solver.check().status is Status.SAT
    assert solver.check([p, p]).status is Status.SAT


def test_unsat_core(solver: Solver) -> None:
    a, b, c, d = (solver.terms.constant(name, BOOL) for name in ("a", "b c", "c", "d"))
    solver.assert_(negation(solver, solver.terms.app(Op.AND, [b, negation(solver, d)])))
    assumptions = [a, b, c, negation(solver, d)]
    assert solver.check(assumptions).status is Status.UNSAT
    assert solver.unsat_core() == [assumptions[1], assumptions[3]]
    assert solver.check([a, b]).status is Status.SAT


def test_refutation_needs_more_than_triggers(solver: Solver) -> None:
    f, g = (solver.terms.declare_function(name, [INT], INT) for name in "fg")
    i, x, zero = solver.terms.variable("i", INT), solver.terms.constant("x", INT), solver.terms.literal(0, INT)
    positive = solver.terms.app(Op.LT, [zero, solver.terms.apply(f, [i])])
    solver.assert_(solver.terms.quantify(True, [i], positive, patterns=[[solver.terms.apply(g, [i])]]))
    p, q = solver.terms.constant("p", BOOL), solver.terms.constant("q", BOOL)
    not_positive = solver.terms.app(Op.LE, [solver.terms.apply(f, [x]), zero])
    solver.assert_(solver.terms.app(Op.IMPLIES, [q, not_positive]))
    found = solver.refutation([p, q], None, 5.0)
    assert found == [q] or (found is None and solver.name != "Z3")
    assert solver.refutation([p], None, 5.0) is None
    assert solver.check([p]).status is not Status.UNSAT


def test_products_may_come_late(solver: Solver) -> None:
    x, y = solver.terms.constant("x", INT), solver.terms.constant("y", INT)
    zero, p = solver.terms.literal(0, INT), solver.terms.constant("p", BOOL)
    positive = [solver.terms.app(Op.LT, [zero, v]) for v in (x, y)]
    solver.assert_(solver.terms.app(Op.LT, [solver.terms.app(Op.MUL, [solver.terms.literal(2, INT), x]), y]))
    assert solver.check(positive).status is Status.SAT
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.app(Op.MUL, [x, y]), solver.terms.literal(21, INT)]))
    assert solver.check(positive).status is Status.SAT
    assert [solver.model().value(v) for v in (x, y)] in ([1, 21], [3, 7])
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.app(Op.MOD, [y, x]), solver.terms.literal(2, INT)]))
    assert solver.check([p, *positive]).status is Status.UNSAT
    assert p not in solver.unsat_core()


def test_the_order_of_decisions_changes_no_answer(solver: Solver) -> None:
    p, q = solver.terms.constant("p", BOOL), solver.terms.constant("q", BOOL)
    solver.assert_(solver.terms.app(Op.OR, [p, q]))
    assert solver.check().status is Status.SAT
    for _ in range(2):
        solver.decide_in_order()
        assert solver.check([negation(solver, p)]).status is Status.SAT
        assert solver.model().value(q) is True
        assumptions = [negation(solver, p), negation(solver, q)]
        assert solver.check(assumptions).status is Status.UNSAT
        assert solver.unsat_core() == assumptions
    solver.assert_(p)
    assert solver.check([negation(solver, p)]).status is Status.UNSAT
    assert solver.check().status is Status.SAT


def test_ways_to_search_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.solvers.z3.portfolio.FIRST_SHARE", 50)
    with open_solver("z3") as solver:
        assert_pigeons(solver, 6)
        p, q = solver.terms.constant("p", BOOL), solver.terms.constant("q", BOOL)
        for _ in range(2):
            assert solver.check([p, q]).status is Status.UNSAT
            assert set(solver.unsat_core()) <= {p, q}
        assert solver.statistics()
    with open_solver("z3") as solver:
        assert_pigeons(solver, 6, pigeons=6)
        p = solver.terms.constant("p", BOOL)
        for _ in range(2):
            assert solver.check([p]).status is Status.SAT
            assert solver.model().value(p) is True
            assert solver.check([negation(solver, p)]).status is Status.SAT
            assert solver.model().value(p) is False
        solver.assert_(p)
        assert solver.check([negation(solver, p)]).status is Status.UNSAT


def test_limits_hold_while_ways_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.solvers.z3.portfolio.FIRST_SHARE", 50)
    with open_solver("z3") as solver:
        assert_pigeons(solver, HARD)
        assert solver.check(timeout=0.5).reason == TIME_LIMIT
        timer = threading.Timer(0.5, solver.interrupt)
        timer.start()
        assert solver.check(timeout=600).reason == INTERRUPTED
        timer.join()


def test_unsat_without_assumptions_has_an_empty_core(solver: Solver) -> None:
    solver.assert_(solver.terms.literal(False, BOOL))
    assert solver.check().status is Status.UNSAT
    assert solver.unsat_core() == []


def test_time_limit(solver: Solver) -> None:
    assert_pigeons(solver, HARD)
    relaxed = solver.terms.constant("relaxed", BOOL)
    start = time.monotonic()
    answer = solver.check(timeout=0.2)
    assert (answer.status, answer.reason, answer.has_model) == (Status.UNKNOWN, TIME_LIMIT, False)
    assert time.monotonic() - start < 120
    # The solver can still be used, with all that was asserted.
    solver.assert_(relaxed)
    assert solver.check([negation(solver, relaxed)], timeout=600).status is Status.UNSAT


def test_effort_limit(solver: Solver) -> None:
    with solver.another(effort=0.05) as limited:
        assert_pigeons(limited, HARD)
        assert limited.check(timeout=600).reason in (EFFORT_LIMIT, TIME_LIMIT)


def test_effort_is_counted_by_z3_itself() -> None:
    work = []
    for _ in range(2):
        with open_solver("z3") as solver, solver.another(effort=0.2) as limited:
            assert_pigeons(limited, HARD)
            assert limited.check().reason == EFFORT_LIMIT
            p = limited.terms.constant("p", BOOL)
            limited.assert_(p)
            assert limited.check([negation(limited, p)]).status is Status.UNSAT
            work.append(limited.statistics()["rlimit count"])
    assert work[0] == work[1]


def test_interrupt_from_another_thread(solver: Solver) -> None:
    assert_pigeons(solver, HARD)
    timer = threading.Timer(0.2, solver.interrupt)
    timer.start()
    answer = solver.check(timeout=600)
    timer.join()
    assert (answer.status, answer.reason) == (Status.UNKNOWN, INTERRUPTED)
    assert solver.check().reason == INTERRUPTED


def test_interrupt_between_queries_is_not_lost(solver: Solver) -> None:
    assert solver.check().status is Status.SAT
    solver.interrupt()
    assert solver.check().reason == INTERRUPTED


def test_ctrl_c_is_raised_and_the_solver_stops(solver: Solver) -> None:
    assert_pigeons(solver, HARD)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.check(timeout=600)
    timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_ones_own_gets_ctrl_c(solver: Solver) -> None:
    assert_pigeons(solver, HARD)
    pressed: list[int] = []

    def stop(number: int, _frame: object) -> None:
        pressed.append(number)
        solver.interrupt()

    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    previous = signal.signal(signal.SIGINT, stop)
    try:
        timer.start()
        answer = solver.check(timeout=600)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, previous)
    assert pressed == [signal.SIGINT]
    assert answer.reason == INTERRUPTED


def build_queue(solver: Solver) -> tuple[Callable[[], None], list[Term]]:
    """A solver with a growing formula; the function makes it grow."""
    array = solver.terms.constant("a0", ArraySort((INT,), INT))
    values: list[Term] = []

    def grow() -> None:
        nonlocal array
        n = len(values)
        x, c = solver.terms.constant(f"x{n}", INT), solver.terms.constant(f"c{n}", BOOL)
        value = solver.terms.app(Op.ITE, [c, x, solver.terms.app(Op.SELECT, [array, solver.terms.literal(n - 1, INT)])])
        array = solver.terms.app(Op.STORE, [array, solver.terms.literal(n, INT), solver.terms.app(Op.ADD, [value, x])])
        solver.assert_(solver.terms.app(Op.GT, [solver.terms.app(Op.SELECT, [array, x]), value]))
        values.append(value)

    return grow, values


def run(solver: Solver, steps: int) -> list[object]:
    grow, values = build_queue(solver)
    seen: list[object] = []
    for _ in range(steps):
        grow()
        seen.append(solver.check().status)
        seen.append(solver.model().values(values))
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_models(name: str) -> None:
    with open_named(name, seed=7) as one:
        first = run(one, 8)
    with open_named(name, seed=7) as other:
        assert run(other, 8) == first


@pytest.mark.parametrize("name", NAMES)
def test_solvers_do_not_disturb_each_other(name: str) -> None:
    with open_named(name) as alone:
        expected = run(alone, 6)
    with open_named(name) as one, open_named(name, seed=3) as other:
        assert_pigeons(other, 5)
        grow, values = build_queue(one)
        seen: list[object] = []
        for _ in range(6):
            grow()
            seen.append(one.check().status)
            assert other.check().status is Status.UNSAT
            seen.append(one.model().values(values))
    assert seen == expected


@pytest.mark.parametrize("name", NAMES)
def test_solvers_in_several_threads(name: str) -> None:
    with open_named(name) as alone:
        expected = run(alone, 5)
    results: list[list[object]] = []

    def work() -> None:
        with open_named(name) as solver:
            results.append(run(solver, 5))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 3


def test_statistics_count_something(solver: Solver) -> None:
    assert_pigeons(solver, 4)
    solver.check()
    statistics = solver.statistics()
    assert statistics
    assert all(isinstance(value, int | float) for value in statistics.values())


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_ill_sorted_terms_are_refused(name: str) -> None:
    with open_solver(name) as solver:
        x, p = solver.terms.constant("x", INT), solver.terms.constant("p", BOOL)
        for op, args in ((Op.NOT, [x]), (Op.SELECT, [x, x]), (Op.BVADD, [x, x]), (Op.STR_LEN, [p])):
            with pytest.raises(SolverFailure, match=r"(?i)z3|cvc5"):
                solver.terms.app(op, args)
        assert solver.check([p]).status is Status.SAT


@pytest.mark.parametrize("name", NAMES)
def test_closing_frees_the_solver(name: str) -> None:
    solver = open_named(name)
    run(solver, 2)
    solver.close()
    solver.close()
    gone = weakref.ref(solver)
    del solver
    gc.collect()
    assert gone() is None


def fill_memory(solver: Solver) -> None:
    """Numbers so wide that their product is too many gates."""
    wide = BitVecSort(1024)
    x, y, z = (solver.terms.fresh(name, wide) for name in "xyz")
    product = solver.terms.app(Op.BVMUL, [solver.terms.app(Op.BVMUL, [x, y]), z])
    solver.assert_(solver.terms.app(Op.EQ, [product, solver.terms.literal(12345, wide)]))


# What a process has used at most counts what the one that started it had, so it is asked what it uses now.
MEMORY_TEST = """
import os, pathlib
from tests.unit.solvers.test_checking import memory_gives_out
pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
memory_gives_out("z3", (pages * os.sysconf("SC_PAGE_SIZE") >> 20) + 50)
"""


def memory_gives_out(name: str, limit: int) -> None:
    with open_solver(name, memory_mb=limit) as solver:
        fill_memory(solver)
        answer = solver.check()
        assert (answer.status, answer.reason) == (Status.UNKNOWN, MEMORY_LIMIT)
    # The next solver has no limit.
    with open_solver(name) as unlimited:
        assert_pigeons(unlimited, 4)
        assert unlimited.check().status is Status.UNSAT


@pytest.mark.parametrize("name", ["z3", "smtlib"])
def test_memory_limit(name: str) -> None:
    if name == "smtlib":
        memory_gives_out(z3_command(), 150)
    else:  # in a process that has not used much before, for the limit is on the process
        root = Path(__file__).parents[3]
        subprocess.run([sys.executable, "-c", MEMORY_TEST], cwd=root, check=True, timeout=600)
