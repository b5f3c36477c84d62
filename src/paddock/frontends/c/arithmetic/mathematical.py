"""C's integers as those of mathematics, which solvers find easier.

Exact on every execution without a signed overflow: signed arithmetic is that of the integers, unsigned arithmetic
and all conversions are taken modulo a power of two, and bitwise operators go through bit-vectors.
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.bitvectors import BitVectors
from paddock.frontends.c.arithmetic.integers import BITWISE, RELATIONS, Integers, limits, number, unsigned, wrapped
from paddock.frontends.c.arithmetic.terms import choice, conjunction
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.ir.build import FALSE, TRUE, compare, int_lit, neg
from paddock.ir.expr import App, Expr, Op
from paddock.ir.types import INT, Type


class Mathematical(Integers):
    """Integers are those of mathematics; what C defines to wrap around does."""

    terms_differ_by_sign = True
    _OPERATORS: ClassVar = {B.ADD: Op.ADD, B.SUBTRACT: Op.SUB, B.MULTIPLY: Op.MUL}

    def type(self, width: int) -> Type:
        return INT

    def literal(self, value: int, type_: c.IntType) -> Expr:
        return int_lit(wrapped(value, type_))

    def known(self, value: Expr, type_: c.IntType) -> int | None:
        return number(value)

    def compare(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        x, y = number(a), number(b)
        if x is not None and y is not None:
            holds = {B.LESS: x < y, B.LESS_EQUAL: x <= y, B.GREATER: x > y, B.GREATER_EQUAL: x >= y}[op]
            return TRUE if holds else FALSE
        return compare(RELATIONS[op], a, b)

    def binary(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        if op in BITWISE or op in (B.SHIFT_LEFT, B.SHIFT_RIGHT):
            return self._bitwise(op, a, b, type_)
        if op in (B.DIVIDE, B.REMAINDER):
            return self._division(Op.DIV if op is B.DIVIDE else Op.MOD, a, b, type_)
        exact = self._exact(op, a, b)
        return exact if type_.signed else self._wrapped(exact, type_)

    def minus(self, a: Expr, type_: c.IntType) -> Expr:
        return self.binary(B.SUBTRACT, int_lit(0), a, type_)

    def _exact(self, op: B, a: Expr, b: Expr) -> Expr:
        x, y = number(a), number(b)
        if x is not None and y is not None:
            return int_lit(x + y if op is B.ADD else x - y if op is B.SUBTRACT else x * y)
        if (y == 0 and op is not B.MULTIPLY) or (y == 1 and op is B.MULTIPLY):
            return a
        if (x == 0 and op is B.ADD) or (x == 1 and op is B.MULTIPLY):
            return b
        return neg(b) if x == 0 and op is B.SUBTRACT else App(self._OPERATORS[op], (a, b), INT)

    def _wrapped(self, value: Expr, type_: c.IntType) -> Expr:
        """A number of any size, modulo what the type can hold."""
        known = number(value)
        if known is not None:
            return int_lit(wrapped(known, type_))
        size = int_lit(1 << type_.width)
        if not type_.signed:
            return App(Op.MOD, (value, size), INT)
        half = int_lit(1 << (type_.width - 1))
        shifted = App(Op.MOD, (App(Op.ADD, (value, half), INT), size), INT)
        return App(Op.SUB, (shifted, half), INT)

    def _division(self, op: Op, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """Division towards zero from the Euclidean one of SMT-LIB; the remainder has the sign of what is divided."""
        plain = App(op, (a, b), INT)
        known = number(a)
        if not type_.signed or (known is not None and known >= 0):
            return plain
        mirrored = neg(App(op, (neg(a), b), INT))
        return choice(compare(Op.GE, a, int_lit(0)), plain, mirrored)

    def _bitwise(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        x, y = number(a), number(b)
        shift = y is not None and 0 <= y < type_.width
        if op is B.SHIFT_RIGHT and shift and y is not None:
            return App(Op.DIV, (a, int_lit(1 << y)), INT)  # Euclidean division by a positive number rounds down
        if op is B.SHIFT_LEFT and shift and y is not None:
            return self.binary(B.MULTIPLY, a, int_lit(1 << y), type_)
        if op is B.AND:
            for value, mask in ((a, y), (b, x)):
                if mask is not None and mask >= 0 and mask & (mask + 1) == 0:
                    return App(Op.MOD, (value, int_lit(mask + 1)), INT)
        name = BITWISE.get(op) or ("bvshl" if op is B.SHIFT_LEFT else "bvashr" if type_.signed else "bvlshr")
        return self.of_bits(self.terms.bv(name, self.bits(a, type_), self.bits(b, type_)), type_)

    def complement(self, a: Expr, type_: c.IntType) -> Expr:
        top = -1 if type_.signed else (1 << type_.width) - 1
        return self._exact(B.SUBTRACT, int_lit(top), a)

    def does_not_overflow(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        if op in (B.DIVIDE, B.REMAINDER):
            exact = self._division(Op.DIV, a, b, type_)
        elif op is B.SHIFT_LEFT:
            y = number(b)
            if y is None or not 0 <= y < type_.width:
                machine = BitVectors(self.terms)
                return machine.does_not_overflow(op, self.bits(a, type_), self.bits(b, type_), type_)
            exact = self._exact(B.MULTIPLY, a, int_lit(1 << y))
        else:
            exact = self._exact(op, a, b)
        low, high = limits(type_)
        return conjunction(compare(Op.LE, int_lit(low), exact), compare(Op.LE, exact, int_lit(high)))

    def convert(self, value: Expr, source: c.IntType, target: c.IntType) -> Expr:
        (low, high), (least, most) = limits(source), limits(target)
        if least <= low and high <= most:
            return value
        known = number(value)
        if known is not None:
            return int_lit(wrapped(known, target))
        size = int_lit(1 << target.width)
        if target.width >= source.width:  # only the sign differs: one of the two halves is moved
            if source.signed:
                return choice(compare(Op.LT, value, int_lit(0)), App(Op.ADD, (value, size), INT), value)
            return choice(compare(Op.GT, value, int_lit(most)), App(Op.SUB, (value, size), INT), value)
        return self._wrapped(value, target)

    def bits(self, value: Expr, type_: c.IntType) -> Expr:
        return self.terms.bv_of_int(value, type_.width)

    def of_bits(self, bits: Expr, type_: c.IntType) -> Expr:
        value = self.terms.int_of_bv(bits)
        return self.convert(value, unsigned(type_), type_) if type_.signed else value

    def in_range(self, value: Expr, type_: c.IntType) -> Expr | None:
        low, high = limits(type_)
        return conjunction(compare(Op.LE, int_lit(low), value), compare(Op.LE, value, int_lit(high)))

    def rounded_down(self, value: Expr, spacing: int, type_: c.IntType) -> Expr:
        return self._exact(B.SUBTRACT, value, self._bitwise(B.AND, value, int_lit(spacing - 1), type_))
