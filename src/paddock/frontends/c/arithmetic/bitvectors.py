"""C's integers as bit-vectors, as on the machine: everything wraps around."""

from __future__ import annotations

from typing import ClassVar

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import BITWISE, Integers
from paddock.frontends.c.arithmetic.terms import choice, conjunction, equal, negation, signed_value
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import TRUE, bv_lit
from paddock.ir.expr import App, Expr, Lit, Op
from paddock.ir.types import Bv, Type


class BitVectors(Integers):
    """Integers are bit-vectors."""

    terms_differ_by_sign = False
    _OPERATORS: ClassVar = {B.ADD: "bvadd", B.SUBTRACT: "bvsub", B.MULTIPLY: "bvmul", B.SHIFT_LEFT: "bvshl", **BITWISE}
    _BY_SIGN: ClassVar = {
        B.DIVIDE: ("bvudiv", "bvsdiv"),
        B.REMAINDER: ("bvurem", "bvsrem"),
        B.SHIFT_RIGHT: ("bvlshr", "bvashr"),
        B.LESS: ("bvult", "bvslt"),
        B.LESS_EQUAL: ("bvule", "bvsle"),
        B.GREATER: ("bvugt", "bvsgt"),
        B.GREATER_EQUAL: ("bvuge", "bvsge"),
    }

    def type(self, width: int) -> Type:
        return Bv(width)

    def literal(self, value: int, type_: c.IntType) -> Expr:
        return bv_lit(value, type_.width)

    def known(self, value: Expr, type_: c.IntType) -> int | None:
        if not isinstance(value, Lit):
            return None
        return signed_value(value) if type_.signed else int(value.value)

    def compare(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        return self.terms.bv(self._BY_SIGN[op][type_.signed], a, b)

    def binary(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        name = self._OPERATORS.get(op) or self._BY_SIGN[op][type_.signed]
        return self.terms.bv(name, a, b)

    def minus(self, a: Expr, type_: c.IntType) -> Expr:
        return self.terms.bv_neg(a)

    def complement(self, a: Expr, type_: c.IntType) -> Expr:
        return self.terms.bv_not(a)

    def does_not_overflow(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        width = type_.width
        if op in (B.DIVIDE, B.REMAINDER):
            least, minus_one = bv_lit(1 << (width - 1), width), bv_lit(-1, width)
            return negation(conjunction(equal(a, least), equal(b, minus_one))) if type_.signed else TRUE
        if op is B.SHIFT_LEFT:
            back = self.terms.bv("bvashr" if type_.signed else "bvlshr", self.terms.bv("bvshl", a, b), b)
            return equal(back, a)
        wide = 2 * width if op is B.MULTIPLY else width + 1
        long_a, long_b = (self.terms.extend(x, wide, type_.signed) for x in (a, b))
        name = self._OPERATORS[op]
        exact = self.terms.bv(name, long_a, long_b)
        return equal(self.terms.extend(self.terms.bv(name, a, b), wide, type_.signed), exact)

    def convert(self, value: Expr, source: c.IntType, target: c.IntType) -> Expr:
        if target.width > source.width:
            return self.terms.extend(value, target.width, source.signed)
        match value:
            case App(Op.ITE, (condition, Lit() as a, Lit() as b)):
                return choice(condition, self.terms.extract(a, 0, target.width), self.terms.extract(b, 0, target.width))
        return self.terms.extract(value, 0, target.width)

    def bits(self, value: Expr, type_: c.IntType) -> Expr:
        return value

    def of_bits(self, bits: Expr, type_: c.IntType) -> Expr:
        return bits

    def in_range(self, value: Expr, type_: c.IntType) -> Expr | None:
        return None

    def rounded_down(self, value: Expr, spacing: int, type_: c.IntType) -> Expr:
        return self.terms.bv("bvand", value, self.literal(-spacing, type_))
