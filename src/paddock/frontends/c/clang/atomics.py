"""Atomic builtins (`__sync_…`, `__atomic_…`, `__c11_atomic_…`) as the accesses that they make, one after the other.

    __atomic_fetch_add(p, v, order)      ({ T *q = p; T w = v; [ T old = *q; *q = old + w; ] old; })

The accesses (here in brackets) are one step of a thread. Operands are evaluated once and before any access, as those of
a call are. Arithmetic wraps around, and a comparison that is weak does not fail by chance, as on x86.

`_Atomic` objects that an operator changes are changed in one step, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paddock.frontends.c.clang.context import Context
from paddock.frontends.c.conversions import binary, condition, convert, value
from paddock.frontends.c.known_names import STEP_BEGIN, STEP_END, wrapping
from paddock.frontends.c.tree import (
    AddressOf,
    Assignment,
    BinaryOperator,
    Call,
    Conversion,
    ConversionKind,
    Declare,
    Dereference,
    Evaluate,
    Expression,
    FunctionUse,
    If,
    Initialiser,
    InitialiserItem,
    IntegerConstant,
    Member,
    PointerOffset,
    Statement,
    StatementExpression,
    UnsupportedExpression,
    VariableUse,
)
from paddock.frontends.c.types import (
    CHAR,
    INT,
    UNSIGNED_CHAR,
    VOID,
    BoolType,
    CType,
    EnumType,
    FunctionType,
    IntType,
    PointerType,
    is_scalar,
)
from paddock.frontends.c.walk import has_effects
from paddock.ir.origin import Origin

_SYNC = re.compile(r"__sync_(\w+?)(?:_(?:1|2|4|8|16))?")
_ATOMIC = re.compile(r"__(c11_)?atomic_(\w+?)(_n)?")
# `fetch_add` and `add_fetch`, or `fetch_and_add` and `add_and_fetch`.
_UPDATE = re.compile(r"(?:(fetch)_(?:and_)?)?(add|sub|and|or|xor|nand|min|max)(?:(?:_and)?_(fetch))?")

Place = Callable[[], Expression]  # a new node at each call: nodes are not shared
Apply = Callable[[Expression, "Expression | None"], "Expression | None"]  # an operator, to a place and an operand


class AtomicBuiltin:
    """One call of an atomic builtin, while it is taken apart."""

    def __init__(self, context: Context, name: str, result: CType, origin: Origin) -> None:
        self._context = context
        self._name = name
        self._result = result
        self._origin = origin
        self._statements: list[Statement] = []
        self._has_begun = False  # a step of several accesses

    def expression(self, arguments: Sequence[Expression]) -> Expression:
        """What the call means; arguments are in the order in which they are written."""
        made = self._sync(list(arguments)) if self._name.startswith("__sync_") else self._atomic(list(arguments))
        if made is None:
            return UnsupportedExpression(self._result, self._origin, self._name, tuple(map(value, arguments)))
        if self._result is VOID:
            self._do(made)
            self._end()
            return StatementExpression(VOID, self._origin, tuple(self._statements), None)
        made = convert(made, self._result)
        if self._has_begun:
            made = self._kept(made)()
        self._end()
        return StatementExpression(made.type, self._origin, tuple(self._statements), made)

    def _begin(self) -> None:
        """Several accesses begin."""
        self._has_begun = True
        self._do(step(STEP_BEGIN, self._origin))

    def _end(self) -> None:
        if self._has_begun:
            self._do(step(STEP_END, self._origin))

    # ------------------------------------------------------------------------------------------ the families

    def _sync(self, arguments: list[Expression]) -> Expression | None:
        found = _SYNC.fullmatch(self._name)
        operation = found[1] if found else ""
        update = _UPDATE.fullmatch(operation)
        wanted = {"lock_release": 1, "bool_compare_and_swap": 3, "val_compare_and_swap": 3}.get(operation, 2)
        if len(arguments) < wanted or not isinstance(value(arguments[0]).type, PointerType):
            return None
        place, type_ = self._place(arguments[0])
        if operation == "lock_release":
            zero = IntegerConstant(INT, self._origin, 0)
            return self._written(place, convert(zero, type_)) if is_scalar(type_) else None
        if not is_scalar(type_):
            return None
        moves = update is not None and isinstance(type_, PointerType)
        operands = [self._kept(value(a) if moves else convert(a, type_)) for a in arguments[1:wanted]]
        self._begin()
        if operation in ("bool_compare_and_swap", "val_compare_and_swap"):
            old = self._kept(value(place()))
            same = self._replaced_if_same(place, old, operands[0], operands[1])
            return same() if operation.startswith("bool") else old()
        if operation in ("lock_test_and_set", "swap"):
            return self._exchanged(place, operands[0])
        return self._updated(update, place, type_, operands[0], scaled=False) if update else None

    def _atomic(self, arguments: list[Expression]) -> Expression | None:
        found = _ATOMIC.fullmatch(self._name)
        if found is None or not arguments or not isinstance(value(arguments[0]).type, PointerType):
            return None
        c11, operation, by_value = bool(found[1]), found[2], bool(found[1] or found[3])
        count = len(arguments)
        if operation in ("test_and_set", "clear"):
            return self._flag(arguments, sets=operation == "test_and_set")
        place, type_ = self._place(arguments[0])
        if operation == "load" and count == (2 if by_value else 3):
            into = None if by_value else self._place(arguments[1])[0]
            self._evaluated(arguments[-1:])
            return value(place()) if into is None else self._written(into, value(place()))
        if operation in ("store", "init") and count == (2 if operation == "init" else 3):
            new = self._operand(arguments[1], type_, by_value)
            self._evaluated(arguments[2:])
            return self._written(place, new())
        if operation == "exchange" and count == (3 if by_value else 4):
            new = self._operand(arguments[1], type_, by_value)
            into = None if by_value else self._place(arguments[2])[0]
            self._evaluated(arguments[-1:])
            self._begin()
            old = self._exchanged(place, new)
            return old if into is None else self._written(into, old)
        if operation.startswith("compare_exchange") and count >= 5:
            expected, _ = self._place(arguments[1])
            desired = self._operand(arguments[2], type_, by_value)
            self._evaluated(arguments[3:])
            self._begin()
            return self._compared(place, type_, expected, desired)
        update = _UPDATE.fullmatch(operation)
        if update is None or count != 3 or not is_scalar(type_):
            return None
        is_pointer = isinstance(type_, PointerType)
        operand = self._kept(value(arguments[1]) if is_pointer else convert(arguments[1], type_))
        self._evaluated(arguments[2:])
        self._begin()
        return self._updated(update, place, type_, operand, scaled=c11)

    # ------------------------------------------------------------------------------------------- operations

    def _updated(
        self, update: re.Match[str], place: Place, type_: CType, operand: Place, *, scaled: bool
    ) -> Expression | None:
        if bool(update[1]) == bool(update[3]):  # add, or fetch_add_fetch
            return None
        old = self._kept(value(place()))
        new = self._combined(update[2], old(), operand(), type_, scaled=scaled)
        if new is None:
            return None
        stored = self._kept(new)
        self._do(self._written(place, stored()))
        return old() if update[1] else stored()

    def _combined(
        self, word: str, old: Expression, operand: Expression, type_: CType, *, scaled: bool
    ) -> Expression | None:
        if isinstance(type_, PointerType):
            if word not in ("add", "sub") or not isinstance(operand.type, IntType):
                return None
            pointer = type_ if scaled else PointerType(CHAR)  # GNU's builtins count bytes
            moved = PointerOffset(pointer, self._origin, convert(old, pointer), operand, word == "sub")
            return convert(moved, type_)
        if not isinstance(type_, IntType | EnumType):
            return None
        signature = FunctionType(type_, (type_, type_), False, True)
        return Call(type_, self._origin, FunctionUse(signature, self._origin, wrapping(word)), (old, operand))

    def _exchanged(self, place: Place, new: Place) -> Expression:
        old = self._kept(value(place()))
        self._do(self._written(place, new()))
        return old()

    def _compared(self, place: Place, type_: CType, expected: Place, desired: Place) -> Expression | None:
        """The expected value is also where the old one goes."""
        if not is_scalar(type_) or not isinstance(type_, IntType | EnumType | BoolType | PointerType):
            return None  # floats and structs are compared by their bytes
        if expected().type is not type_:
            return None
        old = self._kept(value(place()))
        wanted = self._kept(value(expected()))
        kept = Evaluate(self._origin, self._written(expected, old()))
        return self._replaced_if_same(place, old, wanted, desired, kept)()

    def _replaced_if_same(
        self, place: Place, old: Place, wanted: Place, desired: Place, otherwise: Statement | None = None
    ) -> Place:
        equal = binary(BinaryOperator.EQUAL, old(), wanted(), self._origin, self._context.model)
        same = self._kept(condition(equal))
        replace = Evaluate(self._origin, self._written(place, desired()))
        self._statements.append(If(self._origin, same(), replace, otherwise))
        return same

    def _flag(self, arguments: list[Expression], *, sets: bool) -> Expression:
        """A byte that is set, or cleared."""
        pointer = value(arguments[0])
        while isinstance(pointer, Conversion) and pointer.kind is ConversionKind.POINTER:
            pointer = pointer.operand
        is_byte = isinstance(pointer.type, PointerType) and (
            isinstance(pointer.type.target, BoolType)
            or (isinstance(pointer.type.target, IntType) and pointer.type.target.width == UNSIGNED_CHAR.width)
        )
        place, type_ = self._place(pointer if is_byte else convert(pointer, PointerType(UNSIGNED_CHAR)))
        self._evaluated(arguments[1:])
        if sets:
            self._begin()
        number = IntegerConstant(UNSIGNED_CHAR, self._origin, int(sets))
        old = self._kept(value(place())) if sets else None
        written = self._written(place, convert(number, type_))
        if old is None:
            return written
        self._do(written)
        return condition(old())

    # ---------------------------------------------------------------------------------------------- operands

    def _place(self, pointer: Expression) -> tuple[Place, CType]:
        """What a pointer points to. The address of a variable is not needed: it stays one without an address."""
        pointer = value(pointer)
        assert isinstance(pointer.type, PointerType)
        target = pointer.type.target
        if isinstance(pointer, AddressOf) and _is_of_variable(pointer.place):
            named = pointer.place
            return lambda: _again(named), target
        kept = self._kept(pointer)
        return lambda: Dereference(target, self._origin, kept()), target

    def _operand(self, argument: Expression, type_: CType, by_value: bool) -> Place:
        """An operand that is given by its value, or by a pointer to it."""
        if by_value:
            return self._kept(convert(argument, type_))
        return self._kept(value(self._place(argument)[0]()))

    def _kept(self, held: Expression) -> Place:
        """A value that stays what it is."""
        variable = self._context.hidden("atomic", held.type, self._origin)
        first = Initialiser((InitialiserItem((), held),), complete=True)
        self._statements.append(Declare(self._origin, variable, first))
        return lambda: value(VariableUse(held.type, self._origin, variable))

    def _evaluated(self, arguments: Sequence[Expression]) -> None:
        """Orders of memory say nothing here; what they do besides, they do."""
        for argument in arguments:
            if has_effects(argument):
                self._do(value(argument))

    def _written(self, place: Place, new: Expression) -> Expression:
        target = place()
        return Assignment(target.type, self._origin, target, convert(new, target.type))

    def _do(self, expression: Expression) -> None:
        self._statements.append(Evaluate(self._origin, expression))


def step(name: str, origin: Origin) -> Expression:
    """The call that begins or ends a step of a thread."""
    return Call(VOID, origin, FunctionUse(FunctionType(VOID, (), False, True), origin, name), ())


def atomic_update(
    context: Context, target: Expression, operand: Expression | None, apply: Apply, origin: Origin
) -> Expression | None:
    """An operator that changes an `_Atomic` object in one step, after its place and its operand were evaluated."""
    before: list[Statement] = []

    def kept(held: Expression) -> Expression:
        variable = context.hidden("atomic", held.type, origin)
        before.append(Declare(origin, variable, Initialiser((InitialiserItem((), held),), complete=True)))
        return value(VariableUse(held.type, origin, variable))

    if not _is_of_variable(target):
        pointer = (
            target.pointer if isinstance(target, Dereference) else AddressOf(PointerType(target.type), origin, target)
        )
        target = Dereference(target.type, origin, kept(pointer))
    right = None if operand is None else kept(value(operand))
    made = apply(target, right)
    if made is None:
        return None
    before.append(Evaluate(origin, step(STEP_BEGIN, origin)))
    result = kept(made)
    before.append(Evaluate(origin, step(STEP_END, origin)))
    return StatementExpression(result.type, origin, tuple(before), result)


def _is_of_variable(place: Expression) -> bool:
    while isinstance(place, Member):
        place = place.record
    return isinstance(place, VariableUse)


def _again(place: Expression) -> Expression:
    """A copy of the expression for a part of a variable."""
    members: list[Member] = []
    while isinstance(place, Member):
        members.append(place)
        place = place.record
    assert isinstance(place, VariableUse)
    made: Expression = VariableUse(place.type, place.origin, place.variable)
    for member in reversed(members):
        made = Member(member.type, member.origin, made, member.field)
    return made
