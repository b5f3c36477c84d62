"""What operators take and give, and which literals there are."""

from __future__ import annotations

from fractions import Fraction

import pytest

from paddock.ir.expr import Construct, Extract, Fn, GetField, Is, Lit, LiteralValue, Op, Operator, Scope, SetField, Var
from paddock.ir.program import Constructor, Datatype, Function, Program, VarDecl
from paddock.ir.types import BOOL, INT, REAL, RMODE, STRING, Bv, Float, Map, Named, Type
from paddock.ir.typing import applied_type, literal_problem

F32 = Float(24, 8)
T = Named("T", ())
LIST = Named("List", ())
M = Map((INT, BOOL), REAL)


def bound(name: str, type_: Type) -> VarDecl:
    return VarDecl(Var(name, type_, Scope.BOUND))


PROGRAM = Program(
    datatypes=(Datatype("List", (Constructor("Nil"), Constructor("Cons", (bound("head", INT), bound("tail", LIST))))),),
    functions=(Function("f", (bound("x", INT), bound("y", BOOL)), T),),
)


@pytest.mark.parametrize(
    ("op", "args", "result"),
    [
        (Op.NOT, (BOOL,), BOOL),
        (Op.NOT, (INT,), None),
        (Op.NOT, (BOOL, BOOL), None),
        (Op.AND, (BOOL, BOOL), BOOL),
        (Op.AND, (BOOL, INT), None),
        (Op.IFF, (BOOL, BOOL), BOOL),
        (Op.EQ, (T, T), BOOL),
        (Op.EQ, (T, INT), None),
        (Op.NE, (M, M), BOOL),
        (Op.LT, (INT, INT), BOOL),
        (Op.LT, (REAL, REAL), BOOL),
        (Op.GE, (F32, F32), BOOL),
        (Op.LT, (INT, REAL), None),
        (Op.LT, (Bv(8), Bv(8)), None),
        (Op.LT, (BOOL, BOOL), None),
        (Op.ADD, (INT, INT), INT),
        (Op.MUL, (REAL, REAL), REAL),
        (Op.SUB, (F32, F32), F32),
        (Op.ADD, (F32, Float(53, 11)), None),
        (Op.ADD, (Bv(8), Bv(8)), None),
        (Op.NEG, (INT,), INT),
        (Op.NEG, (BOOL,), None),
        (Op.DIV, (INT, INT), INT),
        (Op.DIV, (REAL, REAL), None),
        (Op.MOD, (INT, REAL), None),
        (Op.RDIV, (INT, INT), REAL),
        (Op.RDIV, (INT, REAL), REAL),
        (Op.RDIV, (F32, F32), F32),
        (Op.RDIV, (F32, REAL), None),
        (Op.RDIV, (BOOL, REAL), None),
        (Op.POW, (REAL, REAL), REAL),
        (Op.POW, (INT, INT), None),
        (Op.CONCAT, (Bv(3), Bv(5)), Bv(8)),
        (Op.CONCAT, (Bv(3), INT), None),
        (Op.ITE, (BOOL, T, T), T),
        (Op.ITE, (BOOL, T, INT), None),
        (Op.ITE, (INT, T, T), None),
        (Op.ITE, (BOOL, T), None),
        (Op.SELECT, (M, INT, BOOL), REAL),
        (Op.SELECT, (M, INT), None),
        (Op.SELECT, (INT, INT), None),
        (Op.SELECT, (Map((), INT),), INT),
        (Op.SELECT, (), None),
        (Op.STORE, (M, INT, BOOL, REAL), M),
        (Op.STORE, (M, INT, BOOL, INT), None),
        (Op.STORE, (M, INT, BOOL), None),
        (Op.OLD, (T,), T),
        (Op.TO_INT, (REAL,), INT),
        (Op.TO_INT, (INT,), None),
        (Op.TO_REAL, (INT,), REAL),
        (Extract(8, 8), (Bv(8),), Bv(0)),
        (Extract(8, 3), (Bv(8),), Bv(5)),
        (Extract(9, 3), (Bv(8),), None),
        (Extract(3, 4), (Bv(8),), None),
        (Extract(3, 0), (INT,), None),
        (Fn("f"), (INT, BOOL), T),
        (Fn("f"), (INT,), None),
        (Fn("g"), (), None),
        (Construct("Cons"), (INT, LIST), LIST),
        (Construct("Cons"), (INT, INT), None),
        (Construct("Snoc"), (), None),
        (Is("Nil"), (LIST,), BOOL),
        (Is("Snoc"), (LIST,), None),
        (Is("Nil"), (T,), None),
        (Is("Nil"), (), None),
        (GetField("head"), (LIST,), INT),
        (GetField("last"), (LIST,), None),
        (GetField("head"), (INT,), None),
        (SetField("tail"), (LIST, LIST), LIST),
        (SetField("tail"), (LIST, INT), None),
        (SetField("tail"), (LIST,), None),
    ],
)
def test_applications(op: Operator, args: tuple[Type, ...], result: Type | None) -> None:
    assert applied_type(op, args, PROGRAM) is result


@pytest.mark.parametrize(
    ("value", "type_", "good"),
    [
        (True, BOOL, True),
        (3, INT, True),
        (-3, INT, False),
        (3, BOOL, False),
        (987_654, REAL, False),
        ("3", INT, False),
        (255, Bv(8), True),
        (256, Bv(8), False),
        (0, Bv(0), True),
        (-1, Bv(8), False),
        (Fraction(3, 8), REAL, True),
        (Fraction(1, 3), REAL, False),
        (Fraction(-1, 2), REAL, False),
        (Fraction(3, 2), INT, False),
        (0x7F800000, F32, True),
        (0xFF800000, F32, True),
        (0x80000001, F32, True),
        (0x7FC00000, F32, True),
        (0x7F800001, F32, False),
        (0xFFC00000, F32, False),
        (1 << 32, F32, False),
        ("RNE", RMODE, True),
        ("RXX", RMODE, False),
        ("any text", STRING, True),
        ('"', STRING, False),
        ("RNE", T, False),
    ],
)
def test_literals(value: LiteralValue, type_: Type, good: bool) -> None:
    assert (literal_problem(Lit(value, type_)) is None) is good
