"""The types of C, without typedefs and qualifiers, and how they lie in memory.

Types are interned: equal types are one object. A struct or union is known by its key; what is in it stands in a
table of `RecordDefinition`s, because it may contain pointers to itself. Sizes come from a `Layout`: a data model and
such a table.
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frozen import frozen
from paddock.ir.intern import Term

BYTE = 8  # bits


class CType(Term):
    """Base of all types."""

    __slots__ = ()

    def __str__(self) -> str:
        return type_name(self)

    def __repr__(self) -> str:
        return f"<C type {self}>"


@frozen(eq=False)
class VoidType(CType):
    """`void`."""


@frozen(eq=False)
class BoolType(CType):
    """`_Bool`: one byte that holds 0 or 1."""


@frozen(eq=False)
class IntType(CType):
    """An integer type other than `_Bool`. Types of one width may differ in rank, as `int` and `long` do in ilp32."""

    name: str
    width: int  # in bits
    signed: bool
    rank: int


@frozen(eq=False)
class EnumType(CType):
    """An enumerated type; its constants are plain `int`s (C11 6.7.2.2)."""

    key: str
    underlying: IntType


@frozen(eq=False)
class FloatType(CType):
    """A binary floating-point type; the significand's width counts the hidden bit. `size` includes padding."""

    name: str
    significand: int
    exponent: int
    size: int  # in bytes


@frozen(eq=False)
class PointerType(CType):
    target: CType


@frozen(eq=False)
class ArrayType(CType):
    """An array; `length` is None where it is not known: `extern int a[]`, and the last member of a struct."""

    element: CType
    length: int | None


@frozen(eq=False)
class VariableArrayType(CType):
    """An array of variable length: the value of the hidden local variable with the unique name `length`.

    The tree declares that variable, of type `size_t`, and gives it its value once, before the first use of the type."""

    element: CType
    length: str


@frozen(eq=False)
class FunctionType(CType):
    """`prototyped` is false for `int f()`, which may be called with any arguments."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool
    prototyped: bool


@frozen(eq=False)
class RecordType(CType):
    """A struct or union, by its key: the tag where that is unique in the program."""

    key: str
    union: bool


@frozen(eq=False)
class UnsupportedType(CType):
    """A type that the tree has no words for, such as a vector or a complex number."""

    name: str
    size: int


VOID = VoidType()
BOOL = BoolType()

# The ranks of C11 6.3.1.1, `_Bool` being the lowest.
CHAR_RANK, SHORT_RANK, INT_RANK, LONG_RANK, LONG_LONG_RANK, INT128_RANK = range(1, 7)

CHAR = IntType("char", 8, True, CHAR_RANK)
SIGNED_CHAR = IntType("signed char", 8, True, CHAR_RANK)
UNSIGNED_CHAR = IntType("unsigned char", 8, False, CHAR_RANK)
SHORT = IntType("short", 16, True, SHORT_RANK)
UNSIGNED_SHORT = IntType("unsigned short", 16, False, SHORT_RANK)
INT = IntType("int", 32, True, INT_RANK)
UNSIGNED_INT = IntType("unsigned int", 32, False, INT_RANK)
LONG_LONG = IntType("long long", 64, True, LONG_LONG_RANK)
UNSIGNED_LONG_LONG = IntType("unsigned long long", 64, False, LONG_LONG_RANK)
INT128 = IntType("__int128", 128, True, INT128_RANK)
UNSIGNED_INT128 = IntType("unsigned __int128", 128, False, INT128_RANK)

FLOAT = FloatType("float", 24, 8, 4)
DOUBLE = FloatType("double", 53, 11, 8)
FLOAT16 = FloatType("_Float16", 11, 5, 2)
FLOAT128 = FloatType("__float128", 113, 15, 16)

IntegerType = IntType | BoolType | EnumType
ArithmeticType = IntType | BoolType | EnumType | FloatType
ScalarType = IntType | BoolType | EnumType | FloatType | PointerType


@frozen
class Field:
    """A member of a struct or union. Anonymous structs and unions in it are members with an empty name.

    A bit-field has a `bit_width`; `bit_offset` counts from the start of the record, so a little-endian bit-field
    is the bits `bit_offset` and up of the record read as one number. Fields with equal names never share a record;
    unnamed bit-fields, which hold nothing, are left out.
    """

    name: str
    type: CType
    index: int  # among the fields of its record
    bit_offset: int
    bit_width: int | None = None

    @property
    def offset(self) -> int:
        """Where it starts, in whole bytes."""
        return self.bit_offset // BYTE


@frozen
class RecordDefinition:
    """What is in a struct or union; sizes in bytes."""

    type: RecordType
    fields: tuple[Field, ...]
    size: int
    alignment: int

    def field(self, name: str) -> Field:
        """The member with this name (not one of an anonymous member of its own)."""
        return next(f for f in self.fields if f.name == name)


@frozen
class DataModel:
    """The sizes that a target chooses; `triple` is the target's name for clang."""

    name: str
    triple: str
    pointer_size: int  # in bytes
    long: IntType
    unsigned_long: IntType
    long_double: FloatType
    largest_alignment: int  # of a scalar in a struct, in bytes
    wide_char: IntType = INT

    @property
    def size_type(self) -> IntType:
        """`size_t`."""
        return UNSIGNED_INT if self.pointer_size == 4 else self.unsigned_long

    def unsigned(self, type: IntType) -> IntType:
        """The unsigned type that belongs to a signed one of at least the rank of `int` (C11 6.2.5)."""
        matching = (UNSIGNED_INT, self.unsigned_long, UNSIGNED_LONG_LONG, UNSIGNED_INT128)
        return next(u for u in matching if u.rank == type.rank)

    @property
    def difference_type(self) -> IntType:
        """`ptrdiff_t`."""
        return INT if self.pointer_size == 4 else self.long


ILP32 = DataModel(
    "ilp32",
    "i386-pc-linux-gnu",
    4,
    IntType("long", 32, True, LONG_RANK),
    IntType("unsigned long", 32, False, LONG_RANK),
    FloatType("long double", 64, 15, 12),
    4,
    IntType("long", 32, True, LONG_RANK),
)
LP64 = DataModel(
    "lp64",
    "x86_64-pc-linux-gnu",
    8,
    IntType("long", 64, True, LONG_RANK),
    IntType("unsigned long", 64, False, LONG_RANK),
    FloatType("long double", 64, 15, 16),
    16,
)
DATA_MODELS = {model.name: model for model in (ILP32, LP64)}


@frozen
class Layout:
    """How types lie in memory. Types without a size (incomplete ones, `void`, functions) have size 1 where GNU C
    says so and are a `ValueError` otherwise; so are arrays of variable length."""

    model: DataModel
    records: Mapping[str, RecordDefinition]

    def size(self, type: CType) -> int:
        """`sizeof`, in bytes."""
        count, element = 1, type
        while isinstance(element, ArrayType):
            if element.length is None:
                raise ValueError(f"the size of {type} is not known")
            count *= element.length
            element = element.element
        return count * self._element_size(element)

    def known_size(self, type: CType) -> int | None:
        """The size of a type, if it is known."""
        try:
            return self.size(type)
        except ValueError:
            return None

    def _element_size(self, type: CType) -> int:
        match type:
            case VoidType() | FunctionType() | BoolType():
                return 1
            case IntType():
                return type.width // BYTE
            case EnumType():
                return type.underlying.width // BYTE
            case FloatType() | UnsupportedType():
                return type.size
            case PointerType():
                return self.model.pointer_size
            case RecordType() if type.key in self.records:
                return self.records[type.key].size
            case _:
                raise ValueError(f"the size of {type} is not known")

    def alignment(self, type: CType) -> int:
        """The alignment that the type has in a struct by itself, in bytes."""
        element = type
        while isinstance(element, ArrayType | VariableArrayType):
            element = element.element
        if isinstance(element, RecordType) and element.key in self.records:
            return self.records[element.key].alignment
        size, power = self._element_size(element), 1
        while power < size and power < self.model.largest_alignment:
            power *= 2
        return power

    def definition(self, type: RecordType) -> RecordDefinition | None:
        """What is in a struct or union; None if it is only declared."""
        return self.records.get(type.key)


def is_integer(type: CType) -> bool:
    return isinstance(type, IntegerType)


def is_arithmetic(type: CType) -> bool:
    return isinstance(type, ArithmeticType)


def is_scalar(type: CType) -> bool:
    return isinstance(type, ScalarType)


def is_aggregate(type: CType) -> bool:
    """Arrays, structs and unions: what a list in braces initialises piece by piece."""
    return isinstance(type, ArrayType | VariableArrayType | RecordType)


def decayed(type: CType) -> CType:
    """The type of a parameter that is declared with this type, and of a value: arrays and functions are pointers."""
    match type:
        case ArrayType(element) | VariableArrayType(element):
            return PointerType(element)
        case FunctionType():
            return PointerType(type)
        case _:
            return type


def type_name(type: CType) -> str:
    """The type as C writes it, but for names that hide in the middle of a declarator."""
    names: dict[CType, str] = {}
    todo = [type]
    while todo:
        waiting = [p for p in _parameters_inside(todo[-1]) if p not in names]
        if waiting:
            todo += waiting
        else:
            current = todo.pop()
            names[current] = _name(current, names)
    return names[type]


def _parameters_inside(type: CType) -> list[CType]:
    """The parameters of functions on the way to the innermost type."""
    current, found = type, list[CType]()
    while True:
        match current:
            case FunctionType(inner, parameters):
                found += parameters
            case PointerType(inner) | ArrayType(inner) | VariableArrayType(inner):
                pass
            case _:
                return found
        current = inner


def _name(type: CType, parameter_names: Mapping[CType, str]) -> str:
    current, suffix = type, ""
    while True:
        match current:
            case PointerType(target):
                inner = isinstance(target, FunctionType | ArrayType | VariableArrayType)
                suffix = f" (*{suffix.strip()})" if inner else f" *{suffix.strip()}"
                current = target
            case ArrayType(element, length):
                suffix += "[]" if length is None else f"[{length}]"
                current = element
            case VariableArrayType(element):
                suffix += "[*]"
                current = element
            case FunctionType(result, parameters, variadic, prototyped):
                words = [parameter_names[p] for p in parameters] + ["..."] * variadic
                suffix += f"({', '.join(words) or ('void' if prototyped else '')})"
                current = result
            case VoidType():
                return "void" + suffix
            case BoolType():
                return "_Bool" + suffix
            case IntType(name) | FloatType(name) | UnsupportedType(name):
                return name + suffix
            case EnumType(key):
                return f"enum {key}{suffix}"
            case RecordType(key, union):
                return f"{'union' if union else 'struct'} {key}{suffix}"
            case _:
                raise TypeError(f"not a C type: {current!r}")
