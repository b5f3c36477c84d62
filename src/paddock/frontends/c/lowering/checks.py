"""The checks that a C user expects, as assertions; each has a kind, a source line and the expression it is about."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import conjunction, disjunction, equal, negation
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.notes import Notes
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.text import expression_text
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frozen import field, frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Attribute, Attributes, Expr
from paddock.ir.lexical import quotable
from paddock.ir.origin import IN_SOURCE, Made, Origin, Role
from paddock.ir.stmt import Assert

_ABOUT_ARITHMETIC = frozenset({"div-by-zero", "shift", "overflow", "unsigned-overflow"})
_ABOUT_FLOATS = frozenset({"nan", "float-overflow"})
_ARITHMETIC = (B.ADD, B.SUBTRACT, B.MULTIPLY, B.DIVIDE, B.REMAINDER, B.SHIFT_LEFT)


@frozen
class Checks:
    """Emits the assertions that the user asked for."""

    blocks: Blocks
    notes: Notes
    settings: Settings

    def check(self, kind: str, condition: Expr, message: str, origin: Origin, more: Attributes = ()) -> None:
        """Assert a condition if its kind is asked for; of what surely holds, only assertions of the user's are worth a
        line. Where several checks of a kind may stand at one place, a word before the kind distinguishes them."""
        name = kind.split()[-1]
        if name not in self.settings.checks_at(origin) or (condition is TRUE and kind != "assert"):
            return
        attributes = (Attribute("kind", (name,)), Attribute("msg", (quotable(message),)), *more)
        noted = origin.by(IN_SOURCE if kind == "assert" else Made("c", Role.CHECK, kind)).noted(self.notes.add("fail"))
        self.blocks.emit(Assert(condition, attributes, noted))

    def insist(self, kind: str, condition: Expr, message: str, origin: Origin) -> None:
        """Assert a condition whatever was asked for: what a program does where it is false is not defined."""
        attributes = (Attribute("kind", (kind,)), Attribute("msg", (quotable(message),)))
        made = origin.by(Made("c", Role.CHECK, kind))
        self.blocks.emit(Assert(condition, attributes, made.noted(self.notes.add("fail"))))

    def fail(self, kinds: Sequence[str], message: str, origin: Origin, *, guarded: bool = False) -> None:
        """The program must not get here; if that is not checked, it ends here. If it is guarded, it is the assertion of
        the opposite of the condition under which it is reached."""
        asked = next((kind for kind in kinds if kind in self.settings.checks_at(origin)), None)
        if asked is not None:
            marked = guarded and self.settings.covers
            self.check(asked, FALSE, message, origin, (Attribute("guarded"),) if marked else ())
        if asked is None or not self.settings.goes_on:
            self.blocks.stop()


@frozen
class ArithmeticChecks:
    """The checks of operators and conversions."""

    checks: Checks
    numbers: Numbers
    updates: list[t.Update] = field(default_factory=list)  # those around the current expression

    def operation(self, op: B, a: Expr, b: Expr, type_: c.CType, node: t.Expression) -> None:
        """The checks of an operator on two integers of one type; a shift counts in the type of the left one."""
        asked = self.checks.settings.checks
        if isinstance(type_, c.FloatType) and asked & _ABOUT_FLOATS and op in _ARITHMETIC:
            self._float_operation(op, a, b, type_, node)
        # The texts of all parts of a long expression take time that is quadratic in its length.
        if not c.is_integer(type_) or not asked & _ABOUT_ARITHMETIC:
            return
        integer, numbers, text = self.numbers.integer(type_), self.numbers, self._written(node)
        if op in (B.DIVIDE, B.REMAINDER):
            nonzero = negation(equal(b, numbers.zero(integer)))
            self.checks.check("div-by-zero", nonzero, f"division by zero in {text}", node.origin)
        if op in (B.SHIFT_LEFT, B.SHIFT_RIGHT):
            in_range = self._shifts_in_range(op, a, b, integer)
            self.checks.check("shift", in_range, f"shift by less than 0 or too much in {text}", node.origin)
        if op in _ARITHMETIC:
            kind = "overflow" if integer.signed else "unsigned-overflow"
            if kind in asked and (integer.signed or op is not B.SHIFT_LEFT):
                fits = numbers.integers.does_not_overflow(op, a, b, integer)
                self.checks.check(kind, fits, f"overflow in {text}", node.origin)

    def _float_operation(self, op: B, a: Expr, b: Expr, type_: c.FloatType, node: t.Expression) -> None:
        result, text = self.numbers.binary(op, a, b, type_), self._written(node)
        is_nan, is_infinite = (self.numbers.floats.is_nan, self.numbers.floats.is_infinite)
        known = disjunction(negation(is_nan(result)), disjunction(is_nan(a), is_nan(b)))
        self.checks.check("nan", known, f"NaN in {text}", node.origin)
        finite = disjunction(negation(is_infinite(result)), disjunction(is_infinite(a), is_infinite(b)))
        self.checks.check("float-overflow", finite, f"overflow in {text}", node.origin)

    def to_float(self, value: Expr, source: c.CType, target: c.CType, node: t.Expression) -> None:
        """The check of a conversion to a float."""
        if "float-overflow" not in self.checks.settings.checks or not isinstance(target, c.FloatType):
            return
        floats = self.numbers.floats
        finite = negation(floats.is_infinite(self.numbers.convert(value, source, target)))
        if isinstance(source, c.FloatType):
            if source.exponent <= target.exponent and source.significand <= target.significand:
                return
            finite = disjunction(finite, floats.is_infinite(value))
        elif self.numbers.width(source) < 1 << (target.exponent - 1):
            return
        self.checks.check("float-overflow", finite, f"overflow in {self._written(node)}", node.origin)

    def enumeration(self, value: Expr, type_: c.CType, node: t.Expression) -> None:
        """The check of a value that is read or converted to."""
        if "enum-range" not in self.checks.settings.checks or not isinstance(type_, c.EnumType):
            return
        known = self.checks.notes.presentation.enumerators.get(type_.key, {})
        is_one: Expr = FALSE
        for number in sorted(known):
            is_one = disjunction(is_one, equal(value, self.numbers.literal(number, type_)))
        text = self._written(node)
        self.checks.check("enum-range", is_one, f"{text} is no enumerator of {type_}", node.origin)

    def _shifts_in_range(self, op: B, a: Expr, b: Expr, type_: c.IntType) -> Expr:
        """A shift is by at least 0 and less than the width, and to the left of what is not negative."""
        compare, zero = self.numbers.integers.compare, self.numbers.zero(type_)
        below = compare(B.LESS, b, self.numbers.literal(type_.width, type_), type_)
        if type_.signed:
            below = conjunction(compare(B.GREATER_EQUAL, b, zero, type_), below)
            if op is B.SHIFT_LEFT:
                below = conjunction(below, compare(B.GREATER_EQUAL, a, zero, type_))
        return below

    @property
    def about_conversions(self) -> bool:
        """Whether conversions are checked."""
        return "conversion" in self.checks.settings.checks

    def conversion(self, value: Expr, source: c.CType, target: c.CType, node: t.Expression) -> None:
        if self.about_conversions and c.is_integer(target) and not isinstance(target, c.BoolType):
            fits = self.numbers.fits(value, source, target)
            self.checks.check("conversion", fits, f"{self._written(node)} changes the value", node.origin)

    def _written(self, node: t.Expression) -> str:
        """The expression as the user wrote it: `x += 1` for the `x + 1` that `x` becomes."""
        first = node
        while isinstance(first, t.Conversion | t.Binary):
            first = first.operand if isinstance(first, t.Conversion) else first.left
        return expression_text(self.updates[-1] if isinstance(first, t.OldValue) else node)
