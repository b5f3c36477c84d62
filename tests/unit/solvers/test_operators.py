"""Every operator means the same to every solver: SMT-LIB's meaning, checked on values."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import pytest

from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op, builtin, result_sort
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    REGEX,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    FloatSort,
    Sort,
)

F32 = FloatSort(8, 24)
F64 = FloatSort(11, 53)
BYTE = BitVecSort(8)

# An argument is a pair of a value and its sort, or an inner application.
Arg = Any


def b(value: bool) -> Arg:
    return value, BOOL


def i(value: int) -> Arg:
    return value, INT


def r(numerator: int, denominator: int = 1) -> Arg:
    return Fraction(numerator, denominator), REAL


def v(value: int, width: int = 8) -> Arg:
    return value % (1 << width), BitVecSort(width)


def f(value: float) -> Arg:
    return struct.unpack(">I", struct.pack(">f", value))[0], F32


def s(value: str) -> Arg:
    return value, STRING


def call(op: Op, *args: Arg, at: tuple[int, ...] = ()) -> Arg:
    return op, args, at


RNE, RTZ, RTP, RTN, RNA = ((mode, ROUNDING_MODE) for mode in ("RNE", "RTZ", "RTP", "RTN", "RNA"))
NAN, INFINITY = f(float("nan")), f(float("inf"))
A_OR_B = call(Op.RE_UNION, call(Op.STR_TO_RE, s("a")), call(Op.STR_TO_RE, s("b")))


def matches(word: str, regex: Arg) -> Arg:
    return call(Op.STR_IN_RE, s(word), regex)


# Each line: an application of ground terms, and the value it has.
FACTS: list[tuple[Arg, Arg]] = [
    (call(Op.NOT, b(True)), b(False)),
    (call(Op.AND, b(True), b(True), b(False)), b(False)),
    (call(Op.AND), b(True)),
    (call(Op.OR), b(False)),
    (call(Op.AND, b(False)), b(False)),
    (call(Op.ADD, i(5)), i(5)),
    (call(Op.DISTINCT, i(5)), b(True)),
    (call(Op.STR_CONCAT, s("a")), s("a")),
    (call(Op.OR, b(False), b(True), b(False)), b(True)),
    (call(Op.XOR, b(True), b(True)), b(False)),
    (call(Op.IMPLIES, b(True), b(False)), b(False)),
    (call(Op.EQ, i(3), i(3)), b(True)),
    (call(Op.DISTINCT, i(1), i(2), i(1)), b(False)),
    (call(Op.ITE, b(False), i(1), i(2)), i(2)),
    (call(Op.ADD, i(1), i(2), i(3)), i(6)),
    (call(Op.SUB, i(1), i(2)), i(-1)),
    (call(Op.SUB, i(5)), i(-5)),
    (call(Op.MUL, i(-3), i(4)), i(-12)),
    (call(Op.DIV, i(-7), i(2)), i(-4)),
    (call(Op.DIV, i(7), i(-2)), i(-3)),
    (call(Op.MOD, i(-7), i(2)), i(1)),
    (call(Op.MOD, i(-7), i(-2)), i(1)),
    (call(Op.REM, i(-7), i(2)), i(1)),
    (call(Op.REM, i(7), i(-2)), i(-1)),
    (call(Op.ABS, i(-7)), i(7)),
    (call(Op.RDIV, r(1), r(3)), r(1, 3)),
    (call(Op.POWER, i(2), i(10)), i(1024)),
    (call(Op.LT, i(1), i(2)), b(True)),
    (call(Op.LE, r(1), r(1)), b(True)),
    (call(Op.GT, i(1), i(2)), b(False)),
    (call(Op.GE, r(1, 2), r(1, 3)), b(True)),
    (call(Op.TO_REAL, i(2)), r(2)),
    (call(Op.TO_INT, r(-1, 2)), i(-1)),
    (call(Op.IS_INT, r(1, 2)), b(False)),
    (call(Op.CONCAT, v(0xAB), v(0xCD)), v(0xABCD, 16)),
    (call(Op.EXTRACT, v(0xAB), at=(7, 4)), v(0xA, 4)),
    (call(Op.REPEAT, v(0b10, 2), at=(3,)), v(0b101010, 6)),
    (call(Op.ZERO_EXTEND, v(0x80), at=(8,)), v(0x80, 16)),
    (call(Op.SIGN_EXTEND, v(0x80), at=(8,)), v(0xFF80, 16)),
    (call(Op.ROTATE_LEFT, v(0x81), at=(1,)), v(0x03)),
    (call(Op.ROTATE_RIGHT, v(0x81), at=(1,)), v(0xC0)),
    (call(Op.BVNOT, v(0x0F)), v(0xF0)),
    (call(Op.BVNEG, v(1)), v(0xFF)),
    (call(Op.BVAND, v(0x3C), v(0x0F)), v(0x0C)),
    (call(Op.BVOR, v(0x30), v(0x0F)), v(0x3F)),
    (call(Op.BVXOR, v(0x3C), v(0x0F)), v(0x33)),
    (call(Op.BVNAND, v(0x3C), v(0x0F)), v(0xF3)),
    (call(Op.BVNOR, v(0x30), v(0x0F)), v(0xC0)),
    (call(Op.BVXNOR, v(0x3C), v(0x0F)), v(0xCC)),
    (call(Op.BVADD, v(0xFF), v(2)), v(1)),
    (call(Op.BVSUB, v(1), v(2)), v(0xFF)),
    (call(Op.BVMUL, v(0x20), v(9)), v(0x20)),
    (call(Op.BVUDIV, v(0xF8), v(3)), v(0x52)),
    (call(Op.BVUDIV, v(7), v(0)), v(0xFF)),
    (call(Op.BVUREM, v(0xF8), v(3)), v(2)),
    (call(Op.BVSDIV, v(-7), v(2)), v(-3)),
    (call(Op.BVSREM, v(-7), v(2)), v(-1)),
    (call(Op.BVSMOD, v(-7), v(2)), v(1)),
    (call(Op.BVSHL, v(0x81), v(1)), v(2)),
    (call(Op.BVLSHR, v(0x81), v(1)), v(0x40)),
    (call(Op.BVASHR, v(0x81), v(1)), v(0xC0)),
    (call(Op.BVCOMP, v(5), v(5)), v(1, 1)),
    (call(Op.BVCOMP, v(5), v(6)), v(0, 1)),
    (call(Op.BVULT, v(0x80), v(1)), b(False)),
    (call(Op.BVULE, v(1), v(1)), b(True)),
    (call(Op.BVUGT, v(0x80), v(1)), b(True)),
    (call(Op.BVUGE, v(0), v(1)), b(False)),
    (call(Op.BVSLT, v(0x80), v(1)), b(True)),
    (call(Op.BVSLE, v(1), v(0x80)), b(False)),
    (call(Op.BVSGT, v(0x80), v(1)), b(False)),
    (call(Op.BVSGE, v(1), v(0x80)), b(True)),
    (call(Op.BV_TO_NAT, v(0xFF)), i(255)),
    (call(Op.BV_TO_INT, v(0xFF)), i(-1)),
    (call(Op.BV_TO_INT, v(0x7F)), i(127)),
    (call(Op.INT_TO_BV, i(-1), at=(8,)), v(0xFF)),
    (call(Op.FP, v(1, 1), v(0x80), v(0, 23)), f(-2.0)),
    (call(Op.FP_ABS, f(-1.5)), f(1.5)),
    (call(Op.FP_NEG, f(0.0)), f(-0.0)),
    (call(Op.FP_ADD, RNE, f(0.1), f(0.2)), f(0.3)),
    (call(Op.FP_ADD, RTP, f(1.0), f(2.0**-30)), f(1.0 + 2.0**-23)),
    (call(Op.FP_SUB, RNE, f(1.0), f(0.25)), f(0.75)),
    (call(Op.FP_MUL, RNE, f(1.5), f(-2.0)), f(-3.0)),
    (call(Op.FP_DIV, RNE, f(1.0), f(0.0)), INFINITY),
    (call(Op.FP_DIV, RTZ, f(1.0), f(3.0)), f(0.3333333)),
    (call(Op.FP_FMA, RNE, f(2.0), f(3.0), f(1.0)), f(7.0)),
    (call(Op.FP_SQRT, RNE, f(2.25)), f(1.5)),
    (call(Op.FP_REM, f(5.0), f(3.0)), f(-1.0)),
    (call(Op.FP_ROUND, RNA, f(2.5)), f(3.0)),
    (call(Op.FP_ROUND, RTN, f(-2.5)), f(-3.0)),
    (call(Op.FP_MIN, f(1.0), NAN), f(1.0)),
    (call(Op.FP_MAX, f(1.0), f(2.0)), f(2.0)),
    (call(Op.FP_LEQ, f(1.0), f(1.0)), b(True)),
    (call(Op.FP_LT, NAN, f(1.0)), b(False)),
    (call(Op.FP_GEQ, f(1.0), f(2.0)), b(False)),
    (call(Op.FP_GT, INFINITY, f(2.0)), b(True)),
    (call(Op.FP_EQ, f(0.0), f(-0.0)), b(True)),
    (call(Op.FP_EQ, NAN, NAN), b(False)),
    (call(Op.EQ, NAN, NAN), b(True)),
    (call(Op.FP_IS_NORMAL, f(1.0)), b(True)),
    (call(Op.FP_IS_SUBNORMAL, f(1e-40)), b(True)),
    (call(Op.FP_IS_ZERO, f(-0.0)), b(True)),
    (call(Op.FP_IS_INFINITE, INFINITY), b(True)),
    (call(Op.FP_IS_NAN, call(Op.FP_SUB, RNE, INFINITY, INFINITY)), b(True)),
    (call(Op.FP_IS_NEGATIVE, f(-0.0)), b(True)),
    (call(Op.FP_IS_POSITIVE, NAN), b(False)),
    (call(Op.TO_FP, v(0x3F800000, 32), at=(8, 24)), f(1.0)),
    (call(Op.TO_FP, RNE, f(1.5), at=(11, 53)), (0x3FF8 << 48, F64)),
    (call(Op.TO_FP, RNE, r(1, 10), at=(8, 24)), f(0.1)),
    (call(Op.TO_FP, RNE, v(0xFF), at=(8, 24)), f(-1.0)),
    (call(Op.TO_FP_UNSIGNED, RNE, v(0xFF), at=(8, 24)), f(255.0)),
    (call(Op.FP_TO_UBV, RTZ, f(3.9), at=(8,)), v(3)),
    (call(Op.FP_TO_SBV, RTZ, f(-3.9), at=(8,)), v(-3)),
    (call(Op.FP_TO_REAL, f(0.75)), r(3, 4)),
    (call(Op.STR_CONCAT, s("ab"), s(""), s("c")), s("abc")),
    (call(Op.STR_LEN, s('\\u{1}"é')), i(7)),
    (call(Op.STR_LT, s("ab"), s("b")), b(True)),
    (call(Op.STR_LE, s("b"), s("ab")), b(False)),
    (call(Op.STR_AT, s("abc"), i(1)), s("b")),
    (call(Op.STR_SUBSTR, s("abcde"), i(1), i(3)), s("bcd")),
    (call(Op.STR_PREFIXOF, s("ab"), s("abc")), b(True)),
    (call(Op.STR_SUFFIXOF, s("ab"), s("abc")), b(False)),
    (call(Op.STR_CONTAINS, s("abc"), s("b")), b(True)),
    (call(Op.STR_INDEXOF, s("abcabc"), s("c"), i(3)), i(5)),
    (call(Op.STR_REPLACE, s("aa"), s("a"), s("b")), s("ba")),
    (call(Op.STR_REPLACE_ALL, s("aa"), s("a"), s("b")), s("bb")),
    (call(Op.STR_IS_DIGIT, s("7")), b(True)),
    (call(Op.STR_IS_DIGIT, s("77")), b(False)),
    (call(Op.STR_TO_CODE, s("a")), i(97)),
    (call(Op.STR_FROM_CODE, i(98)), s("b")),
    (call(Op.STR_TO_INT, s("042")), i(42)),
    (call(Op.STR_FROM_INT, i(42)), s("42")),
    (matches("ab", call(Op.RE_CONCAT, call(Op.STR_TO_RE, s("a")), call(Op.STR_TO_RE, s("b")))), b(True)),
    (matches("b", A_OR_B), b(True)),
    (matches("", call(Op.RE_NONE)), b(False)),
    (matches("xyz", call(Op.RE_ALL)), b(True)),
    (matches("xy", call(Op.RE_ALLCHAR)), b(False)),
    (matches("abba", call(Op.RE_STAR, A_OR_B)), b(True)),
    (matches("", call(Op.RE_PLUS, A_OR_B)), b(False)),
    (matches("", call(Op.RE_OPT, A_OR_B)), b(True)),
    (matches("q", call(Op.RE_RANGE, s("a"), s("p"))), b(False)),
    (matches("c", call(Op.RE_COMP, A_OR_B)), b(True)),
    (matches("a", call(Op.RE_DIFF, A_OR_B, call(Op.STR_TO_RE, s("a")))), b(False)),
    (matches("a", call(Op.RE_INTER, A_OR_B, call(Op.STR_TO_RE, s("a")))), b(True)),
    (matches("aba", call(Op.RE_POWER, A_OR_B, at=(3,))), b(True)),
    (matches("a", call(Op.RE_LOOP, A_OR_B, at=(2, 3))), b(False)),
]

# Solvers evaluate these two too seldom to be asked for a value; building and sorting them must work.
SORTED_ONLY = {Op.STR_REPLACE_RE, Op.STR_REPLACE_RE_ALL}


def build(solver: Solver, arg: Arg) -> Term:
    if isinstance(arg[0], Op):
        op, args, indices = arg
        return solver.terms.app(op, [build(solver, a) for a in args], indices)
    return solver.terms.literal(*arg)


def sort_of(arg: Arg) -> Sort:
    if isinstance(arg[0], Op):
        op, args, indices = arg
        return result_sort(op, [sort_of(a) for a in args], indices)
    sort: Sort = arg[1]
    return sort


def test_operators_have_their_smtlib_meaning(solver: Solver) -> None:
    # One query for all facts, with a literal for each: an unsatisfied one is found by its index.
    wrong = []
    for index, (application, value) in enumerate(FACTS):
        holds = solver.terms.app(Op.EQ, [build(solver, application), build(solver, value)])
        guard = solver.terms.constant(f"fact{index}", BOOL)
        solver.assert_(solver.terms.app(Op.EQ, [guard, holds]))
        if solver.check([guard]).status is not Status.SAT:
            wrong.append(FACTS[index])
        if solver.check([solver.terms.app(Op.NOT, [guard])]).status is not Status.UNSAT:
            wrong.append(FACTS[index])
    assert wrong == []


def test_arrays_of_one_and_several_indices(solver: Solver) -> None:
    for indices in ([i(1)], [i(1), v(2)]):
        sort = ArraySort(tuple(a[1] for a in indices), INT)
        array = solver.terms.fresh("array", sort)
        at = [build(solver, a) for a in indices]
        elsewhere = [build(solver, i(7)), *at[1:]]
        stored = solver.terms.app(Op.STORE, [array, *at, build(solver, i(5))])
        five = solver.terms.app(Op.EQ, [solver.terms.app(Op.SELECT, [stored, *at]), build(solver, i(5))])
        same = solver.terms.app(
            Op.EQ, [solver.terms.app(Op.SELECT, [stored, *elsewhere]), solver.terms.app(Op.SELECT, [array, *elsewhere])]
        )
        constant = solver.terms.const_array(sort, build(solver, i(9)))
        nine = solver.terms.app(Op.EQ, [solver.terms.app(Op.SELECT, [constant, *elsewhere]), build(solver, i(9))])
        wrong = solver.terms.fresh("wrong", BOOL)
        solver.assert_(
            solver.terms.app(
                Op.IMPLIES, [wrong, solver.terms.app(Op.NOT, [solver.terms.app(Op.AND, [five, same, nine])])]
            )
        )
        assert solver.check([wrong]).status is Status.UNSAT


def test_every_operator_is_tested() -> None:
    def operators(arg: Arg) -> set[Op]:
        if not isinstance(arg[0], Op):
            return set()
        return {arg[0]}.union(*map(operators, arg[1]))

    tested = set().union(*(operators(application) for application, _ in FACTS))
    assert tested == set(Op) - SORTED_ONLY - {Op.SELECT, Op.STORE}


def test_result_sorts() -> None:
    assert [fact for fact in FACTS if sort_of(fact[0]) != sort_of(fact[1])] == []
    assert result_sort(Op.SELECT, [ArraySort((INT, INT), BYTE), INT, INT]) == BYTE
    assert result_sort(Op.STORE, [ArraySort((INT,), BYTE), INT, BYTE]) == ArraySort((INT,), BYTE)
    assert result_sort(Op.STR_REPLACE_RE, [STRING, REGEX, STRING]) is STRING


def test_replacing_by_regular_expression_is_built(solver: Solver) -> None:
    for op in sorted(SORTED_ONLY, key=lambda op: op.value):
        replaced = solver.terms.app(op, [build(solver, s("xa")), build(solver, A_OR_B), build(solver, s("b"))])
        solver.terms.app(Op.EQ, [replaced, build(solver, s("xb"))])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bvadd", (Op.BVADD, ())),
        ("(_ extract 7 0)", (Op.EXTRACT, (7, 0))),
        (" (_ zero_extend  8) ", (Op.ZERO_EXTEND, (8,))),
        ("(_ to_fp 8 24)", (Op.TO_FP, (8, 24))),
        ("bv2int", (Op.BV_TO_NAT, ())),
        ("(_ nat2bv 32)", (Op.INT_TO_BV, (32,))),
        ("extract", None),
        ("(_ bvadd 8)", None),
        ("(_ extract 7)", None),
        ("nonsense", None),
        ("", None),
    ],
)
def test_builtins_by_name(text: str, expected: tuple[Op, tuple[int, ...]] | None) -> None:
    assert builtin(text) == expected
