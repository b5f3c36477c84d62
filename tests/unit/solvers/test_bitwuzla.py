"""Bitwuzla in process."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import gc
import signal
import struct

import pytest

from paddock.solvers.bitwuzla.solver import BitwuzlaSolver
from paddock.solvers.factory import suited
from paddock.solvers.interface import Status, Unsupported
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort, BitVecSort, FloatSort
from paddock.solvers.values import ArrayValue

BV8 = BitVecSort(8)
FLOAT = FloatSort(8, 24)


def test_values_of_bits_arrays_and_floats() -> None:
    with BitwuzlaSolver() as solver:
        x, map_, f = (solver.terms.fresh(n, s) for n, s in (("x", BV8), ("m", ArraySort((BV8,), BV8)), ("f", FLOAT)))
        seven, half = solver.terms.literal(7, BV8), solver.terms.literal(int.from_bytes(struct.pack(">f", 0.5)), FLOAT)
        solver.assert_(solver.terms.app(Op.EQ, [solver.terms.app(Op.SELECT, [map_, x]), seven]))
        solver.assert_(solver.terms.app(Op.EQ, [x, solver.terms.app(Op.BVADD, [seven, seven])]))
        solver.assert_(solver.terms.app(Op.EQ, [f, half]))
        assert solver.check().status is Status.SAT
        model = solver.model()
        read = model.value(map_)
        assert model.values([x, f]) == [14, 0x3F000000]
        assert isinstance(read, ArrayValue)
        assert read.entries.get((14,), read.default) == 7


def test_assumptions_that_cannot_hold_together() -> None:
    with BitwuzlaSolver() as solver:
        a, b, c = (solver.terms.fresh(name, BOOL) for name in "abc")
        solver.assert_(solver.terms.app(Op.OR, [solver.terms.app(Op.NOT, [a]), solver.terms.app(Op.NOT, [b])]))
        assert solver.check([a, b, c]).status is Status.UNSAT
        assert solver.unsat_core() == [a, b]
        assert solver.check([a, c]).status is Status.SAT


def test_templates() -> None:
    with BitwuzlaSolver() as solver:
        x = solver.terms.variable("x", BV8)
        twice = solver.terms.template([x], solver.terms.app(Op.BVADD, [x, x]))
        y = solver.terms.fresh("y", BV8)
        solver.assert_(solver.terms.app(Op.EQ, [solver.terms.instantiate(twice, [y]), solver.terms.literal(3, BV8)]))
        assert solver.check().status is Status.UNSAT


def test_what_it_has_not_is_refused() -> None:
    with BitwuzlaSolver() as solver:
        for sort in (INT, FloatSort(15, 64), ArraySort((BV8, BV8), BV8)):
            with pytest.raises(Unsupported):
                solver.terms.fresh("x", sort)


def test_which_solver_suits() -> None:
    assert suited("auto", whole_formulas=True) == ("bitwuzla", "z3")
    assert suited("auto", whole_formulas=False) == ("z3",)
    assert suited("cvc5", whole_formulas=True) == ("cvc5",)


class Rung(Exception):
    pass


def hard(solver: BitwuzlaSolver) -> None:
    """A product of two large primes, and no small factor."""
    wide = BitVecSort(256)
    x, y = solver.terms.fresh("x", wide), solver.terms.fresh("y", wide)
    product = (2**127 - 1) * (2**107 - 1)
    solver.assert_(solver.terms.app(Op.EQ, [solver.terms.app(Op.BVMUL, [x, y]), solver.terms.literal(product, wide)]))
    for factor in (x, y):
        solver.assert_(solver.terms.app(Op.BVULT, [solver.terms.literal(1, wide), factor]))
        solver.assert_(solver.terms.app(Op.BVULT, [factor, solver.terms.literal(2**128, wide)]))


def test_an_exception_of_a_signal_comes_after_the_search() -> None:
    def ring(_number: int, _frame: object) -> None:
        raise Rung

    previous = signal.signal(signal.SIGALRM, ring)
    try:
        with BitwuzlaSolver() as solver:
            hard(solver)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Rung):
                solver.check()
        assert signal.getsignal(signal.SIGALRM) is ring
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_terms_may_be_collected_in_any_order() -> None:
    for _ in range(20):
        solver = BitwuzlaSolver()
        terms: list[object] = [solver.terms.fresh("x", BV8) for _ in range(50)]
        terms += [solver, terms]  # a cycle
        del solver, terms
    gc.collect()
