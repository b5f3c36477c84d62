"""How C's memory is maps, and what addresses are.

An address is a number, as on the machine. Memory is split by the points-to analysis: each class of scalars that
pointers reach alike has a map of its own from addresses to values, so the members of a struct lie in different maps
that have the addresses in common. A class that is read and written as values of one type is *typed*, one whose
types all have one size holds their *bits*, and any other holds *bytes* (little-endian).

Objects do not overlap: those that live as long as the program have constant addresses, and so have locals of functions
that are not recursive, unless a check may have to tell an object from one that had its name before. All others get
theirs from a counter that only grows. Freed addresses are not used again. When
the address of an object is divided by `spacing`, the object's number results; this is how checks of pointers find
it. Where there are pointers from outside, objects lie where these point only if they know them (`lowering/outside.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from paddock.frontends.c import types as c
from paddock.frontends.c.arithmetic.integers import bits_type
from paddock.frontends.c.arithmetic.numbers import Numbers
from paddock.frontends.c.memory_leaves import storage_type
from paddock.frontends.c.pointsto_classes import Classes, MemoryClass
from paddock.frozen import frozen
from paddock.ir.build import select, store
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import VarDecl
from paddock.ir.types import Bv, Map


class Mode(Enum):
    """How a class holds its values."""

    TYPED = "typed"
    BITS = "bits"
    BYTES = "bytes"


@frozen
class Cell:
    """The map of a class. `type` is that of the values, or unsigned integers for bits and bytes."""

    map: Var
    mode: Mode
    type: c.CType
    size: int  # bytes of one entry
    node: MemoryClass
    low: int = 0  # of a bit-field, where it starts in its first byte


def canonical(type_: c.CType, numbers: Numbers) -> c.CType:
    """The type as which values lie in memory: types with the same terms for the same bits are one."""
    if isinstance(type_, c.BoolType | c.FloatType):
        return type_
    integer = numbers.integer(type_)
    if numbers.integers.terms_differ_by_sign and integer.signed:
        return c.IntType("signed", integer.width, True, 0)
    return bits_type(integer.width)


class Memory:
    """The maps of a program."""

    def __init__(self, numbers: Numbers, pointsto: Classes) -> None:
        self.numbers = numbers
        self.terms = numbers.terms
        self.pointsto = pointsto
        self._cells: dict[MemoryClass, Cell | None] = {}
        self._names = FreshNames(separator=".", first=2)

    # --- maps ------------------------------------------------------------------------------------------------

    @property
    def declarations(self) -> list[VarDecl]:
        return [VarDecl(cell.map) for cell in self._cells.values() if cell is not None]

    @property
    def cells(self) -> list[Cell]:
        return [cell for cell in self._cells.values() if cell is not None]

    def cell(self, node: MemoryClass) -> Cell | None:
        """The map of a class of scalars; None for one that is never read or written as any scalar."""
        node = self.pointsto.members.first_leaf(node)
        if node not in self._cells:
            self._cells[node] = self._new_cell(node)
        return self._cells[node]

    def cells_below(self, node: MemoryClass) -> list[Cell]:
        """The maps of all scalars in objects of a class."""
        ordered = sorted((n for n in node.inside() if n.record is None), key=lambda n: n.number)
        return [cell for n in ordered if (cell := self.cell(n)) is not None]

    def _new_cell(self, node: MemoryClass) -> Cell | None:
        kinds = list(node.accesses)
        if not kinds:
            return None
        size, low = max(1, *node.accesses.values()), 0
        fits = all(s in (0, size) for s in node.accesses.values()) and node.grain % size == 0
        if len(kinds) == 1 and fits:
            type_, mode = kinds[0], Mode.TYPED
            if isinstance(type_, tuple):
                _, low, type_ = type_
        elif fits and not any(isinstance(kind, tuple) for kind in kinds):
            type_, mode = bits_type(size * c.BYTE), Mode.BITS
        else:
            type_, mode, size = c.UNSIGNED_CHAR, Mode.BYTES, 1
        assert isinstance(type_, c.CType)
        range_ = self.numbers.type(type_) if mode is Mode.TYPED else Bv(size * c.BYTE)
        map_ = Var(self._names(f"mem#{node.name}"), Map((self.numbers.addresses.type,), range_), Scope.GLOBAL)
        return Cell(map_, mode, type_, size, node, low)

    def holds(self, cell: Cell, type_: c.CType) -> bool:
        """Whether values of a type can be written to a map one by one."""
        match cell.mode:
            case Mode.TYPED:
                return canonical(type_, self.numbers) is cell.type
            case Mode.BITS:
                return self._size(type_) == cell.size
            case Mode.BYTES:
                return True

    # --- reading and writing ---------------------------------------------------------------------------------

    def load(self, cell: Cell, address: Expr, type_: c.CType, bit_field: c.Field | None = None) -> Expr:
        """The scalar of a type at an address; of a bit-field, in the type that it has as a member."""
        numbers = self.numbers
        stored = storage_type(bit_field) if bit_field is not None else type_
        if cell.mode is Mode.TYPED:
            value = select(cell.map, address)
        elif bit_field is not None and not isinstance(stored, c.BoolType):
            value = numbers.of_bits(self._field_bits(cell, address, bit_field, numbers.width(stored)), stored)
        elif bit_field is not None:
            value = numbers.truth(self._bit(cell, address, bit_field), bits_type(1))
        elif cell.mode is Mode.BITS:
            value = numbers.of_bits(select(cell.map, address), type_)
        else:
            value = numbers.of_bits(self._bytes(cell.map, address, self._size(type_)), type_)
        return value if bit_field is None else numbers.convert(value, stored, type_)

    def stored(
        self,
        cell: Cell,
        address: Expr,
        type_: c.CType,
        value: Expr,
        bit_field: c.Field | None,
        bits: Callable[[Expr, c.CType], Expr],
    ) -> Expr:
        """The map after a scalar has been written; the value of a bit-field has the type of the member. `bits` says
        what memory holds for a value."""
        numbers = self.numbers
        if bit_field is not None:
            stored = storage_type(bit_field)
            value = numbers.convert(value, type_, stored)
            if cell.mode is Mode.TYPED:
                return store(cell.map, [address], value)
            part = bits(value, stored)
            if isinstance(stored, c.BoolType):
                part = self.terms.extract(part, 0, 1)
            return self._with_field(cell, address, bit_field, part)
        if cell.mode is Mode.TYPED:
            return store(cell.map, [address], value)
        whole = bits(value, type_)
        if cell.mode is Mode.BITS:
            return store(cell.map, [address], whole)
        return self._with_bytes(cell.map, address, whole, self._size(type_))

    def _size(self, type_: c.CType) -> int:
        return self.pointsto.layout.size(type_)

    def _bytes(self, map_: Expr, address: Expr, count: int) -> Expr:
        """Some bytes from an address up as one bit-vector."""
        result = select(map_, address)
        for n in range(1, count):
            result = self.terms.concat(select(map_, self.numbers.addresses.moved(address, n)), result)
        return result

    def _with_bytes(self, map_: Expr, address: Expr, bits: Expr, count: int) -> Expr:
        for n in range(count):
            byte = self.terms.extract(bits, n * c.BYTE, c.BYTE)
            map_ = store(map_, [self.numbers.addresses.moved(address, n)], byte)
        return map_

    def _field_bits(self, cell: Cell, address: Expr, field: c.Field, width: int) -> Expr:
        low = field.bit_offset % c.BYTE
        return self.terms.extract(self._bytes(cell.map, address, -(-(low + width) // c.BYTE)), low, width)

    def _bit(self, cell: Cell, address: Expr, field: c.Field) -> Expr:
        bit = self._field_bits(cell, address, field, 1)
        return self.numbers.integers.of_bits(bit, bits_type(1))

    def _with_field(self, cell: Cell, address: Expr, field: c.Field, part: Expr) -> Expr:
        assert isinstance(part.type, Bv)
        low = field.bit_offset % c.BYTE
        count = -(-(low + part.type.width) // c.BYTE)
        whole = self.terms.replace_bits(self._bytes(cell.map, address, count), low, part)
        return self._with_bytes(cell.map, address, whole, count)
