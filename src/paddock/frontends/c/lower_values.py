"""Values: C's expressions as pure terms, with what they do on the way emitted before.

Operands are evaluated from left to right, and what a later one may change is saved. An operand that is evaluated on
demand (of `&&`, `||` and `?:`) costs a branch only if it does something; otherwise the whole is one term.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.terms import choice, conjunction, disjunction, negation
from paddock.frontends.c.lower_blocks import PARTITION, Mark, Steps
from paddock.frontends.c.lower_context import ANYTHING
from paddock.frontends.c.lower_lifetimes import Lifetimes
from paddock.frontends.c.lower_places import MemoryPlace, Place, is_place
from paddock.frontends.c.pointsto_tree import compared_pointers
from paddock.frontends.c.quantifiers import quantified
from paddock.frontends.c.tree import BinaryOperator as B
from paddock.frontends.c.tree import UnaryOperator as U
from paddock.frontends.c.walk import nodes_in
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Expr, Var
from paddock.ir.stmt import Assign, Assume, Call, Goto, Havoc

Kind = t.ConversionKind


class Values(Lifetimes):
    """The lowering of expressions."""

    old_values: list[Expr]  # what the targets of the updates around the current expression held

    @abstractmethod
    def call(self, node: t.Call, *, used: bool) -> Steps[tuple[Expr, ...]]:
        """Call a function; its result."""

    @abstractmethod
    def variadic_argument(self, node: t.VariadicArgument) -> Steps[tuple[Expr, ...]]: ...

    @abstractmethod
    def run_statements(self, statements: Sequence[t.Statement]) -> Steps[None]: ...

    # --- any expression --------------------------------------------------------------------------------------

    def values(self, node: t.Expression) -> Steps[tuple[Expr, ...]]:
        match node:
            case t.Conversion(kind=Kind.LOAD, operand=operand):
                place: Place = yield self.place(operand)
                return self.load_all(place, operand)
            case t.Conversion(kind=Kind.SAME, operand=operand):
                held: tuple[Expr, ...] = yield self.values(operand)
                return held
            case t.Conversion(kind=Kind.VOID, operand=operand):
                yield self.effects(operand)
                return ()
            case t.Member():
                place = yield self.place(node)
                return self.load_all(place)
            case t.Conditional():
                held = yield self._conditional(node)
                return held
            case t.Comma(first=first, second=second):
                yield self.effects(first)
                held = yield self.values(second)
                return held
            case t.Assignment():
                place = yield self._assignment(node, used=True)
                return self.load_all(place)
            case t.Update():
                value: Expr = yield self._update(node, used=True)
                return (value,)
            case t.Call():
                held = yield self.call(node, used=True)
                return held
            case t.VariadicArgument():
                held = yield self.variadic_argument(node)
                return held
            case t.StatementExpression(statements=statements, value=result):
                self.enter_block(node)
                yield self.run_statements(statements)
                held = (yield self.values(result)) if result is not None else ()
                self.leave_block()
                return held
            case t.UnsupportedExpression(construct=construct, parts=parts):
                self.shared.unsupported(construct, node.origin)
                self.do_anything(parts)
                return self.arbitrary_values(node.type)
            case _:
                value = yield self._scalar(node)
                return (value,)

    def value(self, node: t.Expression) -> Steps[Expr]:
        held: tuple[Expr, ...] = yield self.values(node)
        return held[0] if held else self.numbers.zero(c.INT)

    def arbitrary_values(self, type_: c.CType) -> tuple[Expr, ...]:
        """Any value of a type."""
        if isinstance(type_, c.VoidType) or (isinstance(type_, c.UnsupportedType) and not type_.size):
            return ()
        plain = self.new_plain("any.1", type_, self.blocks.origin)
        self.blocks.emit(Havoc(tuple(plain.variables.values()), origin=self.blocks.origin))
        return tuple(plain.variables.values())

    def do_anything(self, parts: Sequence[t.Expression]) -> None:
        """What is not supported may change all globals, all memory, and the local variables that it mentions."""
        self.shared.may_do_anything = True
        self.blocks.emit(Call(ANYTHING, (), origin=self.blocks.origin))
        mentioned: dict[Var, None] = {}
        for part in parts:
            for node in nodes_in(part):
                if isinstance(node, t.VariableUse) and node.variable in self.plain:
                    mentioned |= dict.fromkeys(self.plain[node.variable].variables.values())
        changeable = tuple(var for var in mentioned if var.name in self.blocks.locals)
        if changeable:
            self.blocks.emit(Havoc(changeable, origin=self.blocks.origin))

    def effects(self, node: t.Expression) -> Steps[None]:
        """Evaluate an expression whose value is not used."""
        match node:
            case t.Conversion(kind=Kind.INTEGRAL | Kind.FLOAT_TO_INT) if "conversion" in self.settings.checks:
                yield self.values(node)
            case (
                t.Conversion(kind=Kind.FUNCTION, operand=t.Dereference(pointer=operand)) | t.Conversion(operand=operand)
            ):
                yield self.effects(operand)
            case t.Assignment():
                yield self._assignment(node, used=False)
            case t.Update():
                yield self._update(node, used=False)
            case t.Call():
                yield self.call(node, used=False)
            case t.Comma(first=first, second=second):
                yield self.effects(first)
                yield self.effects(second)
            case t.Conditional(condition=condition, then=then, otherwise=otherwise):
                holds: Expr = yield self.value(condition)
                labels = self.blocks.label("then"), self.blocks.label("else"), self.blocks.label("join")
                self.blocks.fork(holds, *labels[:2])
                self.blocks.enter(labels[0], holds)
                self.demands.append(holds)
                yield self.effects(then)
                self.blocks.goto(labels[2])
                self.blocks.enter(labels[1], negation(holds))
                self.demands[-1] = negation(holds)
                yield self.effects(otherwise)
                self.demands.pop()
                self.blocks.open(labels[2])
            case t.StatementExpression(statements=statements, value=result):
                self.enter_block(node)
                yield self.run_statements(statements)
                if result is not None:
                    yield self.effects(result)
                self.leave_block()
            case t.VariableUse() | t.FunctionUse() | t.StringLiteral() | t.IntegerConstant() | t.FloatConstant():
                return
            case _ if is_place(node):
                place: Place = yield self.place(node)
                if c.is_scalar(node.type) or isinstance(node.type, c.RecordType):
                    self.check_place(place, node)  # what is read and dropped is read all the same
            case _:
                yield self.values(node)

    def condition(self, node: t.Expression) -> Steps[Expr]:
        """The truth of an expression of type `_Bool`."""
        return self.value(node)

    # --- scalars ---------------------------------------------------------------------------------------------

    def _scalar(self, node: t.Expression) -> Steps[Expr]:
        numbers = self.numbers
        match node:
            case t.IntegerConstant(type=type_, value=value):
                return numbers.literal(value, type_)
            case t.FloatConstant(type=c.FloatType() as type_, value=fraction):
                return numbers.floats.literal(fraction, type_)
            case t.Conversion():
                result: Expr = yield self._conversion(node)
                return result
            case t.AddressOf(place=operand):
                place: Place = yield self.place(operand)
                assert isinstance(place, MemoryPlace)
                return place.address
            case t.OldValue():
                return self.old_values[-1]
            case t.Unary(operator=operator, operand=operand):
                value_: Expr = yield self.value(operand)
                return self._unary(operator, value_, node, operand)
            case t.Binary():
                result = yield self._binary(node)
                return result
            case t.PointerOffset(pointer=pointer, index=index, backwards=backwards):
                assert isinstance(pointer.type, c.PointerType)
                address, offset = yield self._both(pointer, index)
                size = self.size_of(pointer.type.target)
                return numbers.addresses.element(address, numbers.offset(offset, index.type), size, backwards=backwards)
            case t.PointerDifference(left=left, right=right):
                assert isinstance(left.type, c.PointerType)
                a, b = yield self._both(left, right)
                return self._difference(a, b, left.type.target)
            case t.Quantified():
                result = yield quantified(self, node)
                return numbers.of_truth(result, node.type)
            case t.Logical():
                result = yield self._logical(node)
                return numbers.of_truth(result, node.type)
            case _:
                raise AssertionError(f"not an expression with a scalar value: {node}")

    def _conversion(self, node: t.Conversion) -> Steps[Expr]:
        operand = node.operand
        match node.kind:
            case Kind.DECAY:
                place: Place = yield self.place(operand)
                assert isinstance(place, MemoryPlace)
                return place.address
            case Kind.FUNCTION:
                if isinstance(operand, t.FunctionUse):
                    return self.shared.function_address(operand.name)
                assert isinstance(operand, t.Dereference)
                address: Expr = yield self.value(operand.pointer)
                return address
            case Kind.NULL:
                yield self.effects(operand)
                return self.numbers.address(0)
            case _:
                value: Expr = yield self.value(operand)
                if node.kind in (Kind.INTEGRAL, Kind.FLOAT_TO_INT):
                    self.check_conversion(value, operand.type, node.type, node)
                return self.numbers.convert(value, operand.type, node.type)

    def _unary(self, operator: U, value: Expr, node: t.Expression, operand: t.Expression) -> Expr:
        match operator:
            case U.NOT:
                return self.numbers.of_truth(negation(value), node.type)
            case U.COMPLEMENT:
                return self.numbers.integers.complement(value, self.numbers.integer(node.type))
            case U.MINUS:
                if c.is_integer(node.type):
                    self.check_arithmetic(B.SUBTRACT, self.numbers.zero(node.type), value, node.type, node)
                return self.numbers.minus(value, node.type)

    def _both(self, left: t.Expression, right: t.Expression) -> Steps[tuple[Expr, Expr]]:
        """Two operands, the left one first."""
        a: Expr = yield self.value(left)
        mark = self.blocks.mark()
        b: Expr = yield self.value(right)
        a, _ = self.blocks.kept(a, mark)
        return a, b

    def _binary(self, node: t.Binary) -> Steps[Expr]:
        op, left, right = node.operator, node.left, node.right
        a, b = yield self._both(left, right)
        if op in t.COMPARISONS:
            holds = self.numbers.compare(op, a, b, left.type)
            if op in (B.EQUAL, B.NOT_EQUAL):
                holds = self._comparison(node, holds, a, b)
            return self.numbers.of_truth(holds, node.type)
        if op in (B.SHIFT_LEFT, B.SHIFT_RIGHT):
            b = self._shift_count(b, right.type, node)
        self.check_arithmetic(op, a, b, node.type, node)
        return self.numbers.binary(op, a, b, node.type)

    def _comparison(self, node: t.Binary, holds: Expr, a: Expr, b: Expr) -> Expr:
        """Whether two values are equal, or differ: a pointer from outside is no address that it cannot know."""
        compared, outside = compared_pointers(node), self.shared.outside
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

    def _difference(self, a: Expr, b: Expr, element: c.CType) -> Expr:
        numbers, difference = self.numbers, self.numbers.model.difference_type
        bytes_ = numbers.addresses.minus(a, b)
        count = numbers.convert(bytes_, numbers.address_type, difference)
        size = numbers.convert(self.size_of(element), numbers.address_type, difference)
        return count if size is numbers.literal(1, difference) else numbers.binary(B.DIVIDE, count, size, difference)

    # --- on demand -------------------------------------------------------------------------------------------

    def _logical(self, node: t.Logical) -> Steps[Expr]:
        left: Expr = yield self.value(node.left)
        if left is (FALSE if node.conjunction else TRUE):
            return left
        mark = self.blocks.mark()
        needed = left if node.conjunction else negation(left)
        self.demands.append(needed)
        right: Expr = yield self.value(node.right)
        self.demands.pop()
        if self.blocks.unchanged(mark) or left is TRUE or left is FALSE:
            return conjunction(left, right) if node.conjunction else disjunction(left, right)
        result = self.blocks.temporary(left.type, "and" if node.conjunction else "or")
        self._guard(mark, needed, [(result, FALSE if node.conjunction else TRUE)], [(result, right)])
        return result

    def _guard(
        self, mark: Mark, condition: Expr, before: Sequence[tuple[Var, Expr]], after: Sequence[tuple[Var, Expr]]
    ) -> None:
        """Do what has been emitted since a mark only under a condition; `before` holds if it is not done."""
        blocks = self.blocks
        labels = blocks.label("demanded"), blocks.label("skipped"), blocks.label("join")
        for target, value in after:
            blocks.assign(target, value)
        blocks.goto(labels[2])
        blocks.split(mark, labels[0], closed_by=Goto(labels[:2], origin=blocks.origin))
        blocks.insert(Mark(mark.block + 1, 0), Assume(condition, PARTITION, blocks.origin))
        blocks.enter(labels[1], negation(condition))
        for target, value in before:
            blocks.assign(target, value)
        blocks.open(labels[2])

    def _conditional(self, node: t.Conditional) -> Steps[tuple[Expr, ...]]:
        condition: Expr = yield self.value(node.condition)
        if condition is TRUE or condition is FALSE:
            held: tuple[Expr, ...] = yield self.values(node.then if condition is TRUE else node.otherwise)
            return held
        start = self.blocks.mark()
        self.demands.append(condition)
        then: tuple[Expr, ...] = yield self.values(node.then)
        middle = self.blocks.mark()
        self.demands[-1] = negation(condition)
        otherwise: tuple[Expr, ...] = yield self.values(node.otherwise)
        self.demands.pop()
        if self.blocks.unchanged(start):
            return tuple(choice(condition, a, b) for a, b in zip(then, otherwise, strict=False))
        blocks = self.blocks
        labels = blocks.label("then"), blocks.label("else"), blocks.label("join")
        results = [blocks.temporary(value.type, "chosen") for value in then]
        if not blocks.is_open:
            blocks.open(blocks.label("unreached"))
        for result, value in zip(results, otherwise, strict=False):
            blocks.emit(Assign((result,), (value,), origin=blocks.origin))
        blocks.goto(labels[2])
        for result, value in zip(results, then, strict=True):
            middle = blocks.insert(middle, Assign((result,), (value,), origin=blocks.origin))
        blocks.split(middle, labels[1], closed_by=Goto((labels[2],), origin=blocks.origin))
        blocks.insert(Mark(middle.block + 1, 0), Assume(negation(condition), PARTITION, blocks.origin))
        blocks.split(start, labels[0], closed_by=Goto(labels[:2], origin=blocks.origin))
        blocks.insert(Mark(start.block + 1, 0), Assume(condition, PARTITION, blocks.origin))
        blocks.open(labels[2])
        return tuple(results)

    # --- assignments -----------------------------------------------------------------------------------------

    def _assignment(self, node: t.Assignment, *, used: bool) -> Steps[Place]:
        """Assign, and say where; if that is used, it is what it was before the assignment."""
        place: Place = yield self.place(node.target)
        mark = self.blocks.mark()
        held: tuple[Expr, ...] = yield self.values(node.value)
        self.forget_indices(node.target, mark)
        place = self.keep_place(place, mark)
        mark = self.blocks.mark()
        self.store_all(place, held, node.target, self.name_of(node.target))
        return self.keep_place(place, mark) if used else place

    def _update(self, node: t.Update, *, used: bool) -> Steps[Expr]:
        """The target of an update changes; the result is its old value or its new one."""
        place: Place = yield self.place(node.target)
        old = self.load(place, node.target)
        if used and node.yields_old:
            saved = self.blocks.temporary(old.type, "old")
            self.blocks.emit(Assign((saved,), (old,), origin=self.blocks.origin))
            old = saved
        mark = self.blocks.mark()
        self.updates.append(node)
        self.old_values.append(old)
        value: Expr = yield self.value(node.value)
        self.old_values.pop()
        self.updates.pop()
        self.forget_indices(node.target, mark)
        place = self.keep_place(place, mark)
        mark = self.blocks.mark()
        self.store(place, value, name=self.name_of(node.target))
        return old if node.yields_old or not used else self.load(self.keep_place(place, mark))
