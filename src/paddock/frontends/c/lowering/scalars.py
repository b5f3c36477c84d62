"""Constants, conversions, and operators that evaluate all of their operands."""

from __future__ import annotations

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, negation
from paddock.frontends.c.lowering.access import Access
from paddock.frontends.c.lowering.checks import ArithmeticChecks
from paddock.frontends.c.lowering.constants import ConstantAddresses
from paddock.frontends.c.lowering.expressions import Expressions, Handlers, nothing
from paddock.frontends.c.lowering.moves import check_moved
from paddock.frontends.c.lowering.outside import OutsidePointers
from paddock.frontends.c.lowering.places import MemoryPlace, Place, Places
from paddock.frontends.c.lowering.steps import Steps
from paddock.frontends.c.pointsto_classes import Classes
from paddock.frontends.c.pointsto_tree import compared_pointers
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.tree import UnaryOperator as U
from paddock.frozen import frozen
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr

Kind = t.ConversionKind


@frozen
class Scalars:
    """Evaluates constants, conversions and operators."""

    expressions: Expressions
    access: Access
    places: Places
    checks: ArithmeticChecks
    constants: ConstantAddresses
    numbers: Numbers
    pointsto: Classes
    outside: OutsidePointers | None

    def handlers(self) -> Handlers:
        return Handlers(
            values={t.Conversion: self._conversion_values},
            scalars={
                t.IntegerConstant: self._integer,
                t.FloatConstant: self._float,
                t.LabelAddress: self._label,
                t.Conversion: self._conversion,
                t.AddressOf: self._address_of,
                t.Unary: self._unary,
                t.Binary: self._binary,
                t.PointerOffset: self._pointer_offset,
                t.PointerDifference: self._pointer_difference,
            },
            effects={
                **dict.fromkeys((t.IntegerConstant, t.FloatConstant, t.LabelAddress), nothing),
                t.Conversion: self._conversion_effects,
            },
        )

    def _integer(self, node: t.IntegerConstant) -> Steps[Expr]:
        return self.numbers.literal(node.value, node.type)
        yield

    def _float(self, node: t.FloatConstant) -> Steps[Expr]:
        assert isinstance(node.type, c.FloatType)
        return self.numbers.floats.literal(node.value, node.type)
        yield

    def _label(self, node: t.LabelAddress) -> Steps[Expr]:
        return self.numbers.address(node.number)
        yield

    def _address_of(self, node: t.AddressOf) -> Steps[Expr]:
        place: Place = yield self.expressions.place(node.place)
        assert isinstance(place, MemoryPlace)
        return place.address

    # --- conversions -------------------------------------------------------------------------------------------

    def _conversion_values(self, node: t.Conversion) -> Steps[tuple[Expr, ...]]:
        operand = node.operand
        match node.kind:
            case Kind.LOAD:
                place: Place = yield self.expressions.place(operand)
                loaded = self.access.load_all(place, operand)
                if isinstance(node.type, c.EnumType):
                    self.checks.enumeration(loaded[0], node.type, operand)
                return loaded
            case Kind.SAME:
                held: tuple[Expr, ...] = yield self.expressions.values(operand)
                return held
            case Kind.VOID:
                yield self.expressions.effects(operand)
                return ()
            case _:
                value: Expr = yield self._conversion(node)
                return (value,)

    def _conversion(self, node: t.Conversion) -> Steps[Expr]:
        operand = node.operand
        match node.kind:
            case Kind.LOAD | Kind.SAME | Kind.VOID:
                held: tuple[Expr, ...] = yield self._conversion_values(node)
                return held[0] if held else self.numbers.zero(c.INT)
            case Kind.DECAY:
                place: Place = yield self.expressions.place(operand)
                assert isinstance(place, MemoryPlace)
                return place.address
            case Kind.FUNCTION:
                if isinstance(operand, t.FunctionUse):
                    return self.constants.function(operand.name)
                assert isinstance(operand, t.Dereference)
                address: Expr = yield self.expressions.value(operand.pointer)
                return address
            case Kind.NULL:
                yield self.expressions.effects(operand)
                return self.numbers.address(0)
            case _:
                value: Expr = yield self.expressions.value(operand)
                if node.kind in (Kind.INTEGRAL, Kind.FLOAT_TO_INT):
                    self.checks.conversion(value, operand.type, node.type, node)
                elif node.kind in (Kind.INT_TO_FLOAT, Kind.FLOATING):
                    self.checks.to_float(value, operand.type, node.type, node)
                converted = self.numbers.convert(value, operand.type, node.type)
                self.checks.enumeration(converted, node.type, node)
                return converted

    def _conversion_effects(self, node: t.Conversion) -> Steps[None]:
        match node:
            case t.Conversion(kind=Kind.INTEGRAL | Kind.FLOAT_TO_INT) if self.checks.about_conversions:
                yield self.expressions.values(node)
            case t.Conversion(kind=Kind.FUNCTION, operand=t.Dereference(pointer=pointer)):
                yield self.expressions.effects(pointer)
            case _:
                yield self.expressions.effects(node.operand)

    # --- operators ---------------------------------------------------------------------------------------------

    def _unary(self, node: t.Unary) -> Steps[Expr]:
        value: Expr = yield self.expressions.value(node.operand)
        numbers, type_ = self.numbers, node.type
        match node.operator:
            case U.NOT:
                return numbers.of_truth(negation(value), type_)
            case U.COMPLEMENT:
                return numbers.integers.complement(value, numbers.integer(type_))
            case U.MINUS:
                if c.is_integer(type_):
                    self.checks.operation(B.SUBTRACT, numbers.zero(type_), value, type_, node)
                return numbers.minus(value, type_)

    def _binary(self, node: t.Binary) -> Steps[Expr]:
        op, left, right = node.operator, node.left, node.right
        a, b = yield self.expressions.both(left, right)
        if op in t.COMPARISONS:
            holds = self.numbers.compare(op, a, b, left.type)
            if op in (B.EQUAL, B.NOT_EQUAL):
                holds = self._comparison(node, holds, a, b)
            return self.numbers.of_truth(holds, node.type)
        if op in (B.SHIFT_LEFT, B.SHIFT_RIGHT):
            b = self._shift_count(b, right.type, node)
        self.checks.operation(op, a, b, node.type, node)
        return self.numbers.binary(op, a, b, node.type)

    def _comparison(self, node: t.Binary, holds: Expr, a: Expr, b: Expr) -> Expr:
        """Whether two values are equal, or differ: a pointer from outside is no address that it cannot know."""
        outside = self.outside
        compared = None if outside is None else compared_pointers(node)
        if outside is None or compared is None:
            return holds
        if not outside.cannot_meet(*map(self.pointsto.target, compared)):
            return holds
        apart = outside.is_apart(b if outside.is_apart(b) in (TRUE, FALSE) else a)
        return conjunction(holds, apart) if node.operator is B.EQUAL else disjunction(holds, negation(apart))

    def _shift_count(self, count: Expr, type_: c.CType, node: t.Binary) -> Expr:
        """The count of a shift in the type of what is shifted; one that does not fit stays too large."""
        target = self.numbers.integer(node.type)
        source = self.numbers.integer(type_)
        if source.width > target.width:
            most = self.numbers.literal(target.width, source)
            too_large = self.numbers.integers.compare(B.GREATER, count, most, source)
            count = choice(too_large, most, count)
        return self.numbers.convert(count, type_, target)

    def _pointer_offset(self, node: t.PointerOffset) -> Steps[Expr]:
        assert isinstance(node.pointer.type, c.PointerType)
        address, index = yield self.expressions.both(node.pointer, node.index)
        size = self.places.size_of(node.pointer.type.target)
        offset = self.numbers.offset(index, node.index.type)
        moved = self.numbers.addresses.element(address, offset, size, backwards=node.backwards)
        check_moved(self.access.objects, address, moved, (offset, size), node)
        return moved

    def _pointer_difference(self, node: t.PointerDifference) -> Steps[Expr]:
        assert isinstance(node.left.type, c.PointerType)
        a, b = yield self.expressions.both(node.left, node.right)
        numbers, difference = self.numbers, self.numbers.model.difference_type
        count = numbers.convert(numbers.addresses.minus(a, b), numbers.address_type, difference)
        size = numbers.convert(self.places.size_of(node.left.type.target), numbers.address_type, difference)
        return count if size is numbers.literal(1, difference) else numbers.binary(B.DIVIDE, count, size, difference)
