"""The types of the IR: Boogie's, with synonyms expanded and type parameters filled in."""

from __future__ import annotations

from paddock.frozen import frozen
from paddock.ir.intern import Term


class Type(Term):
    """Base of all types. Types are interned: compare them with `is` or `==`."""

    __slots__ = ()

    def __str__(self) -> str:
        from paddock.ir.printer import type_text

        return type_text(self)

    def __repr__(self) -> str:
        return f"<type {self}>"


@frozen(eq=False)
class Basic(Type):
    """A type with no parts: `bool`, `int`, `real`, `rmode`, `string` or `regex`."""

    name: str


@frozen(eq=False)
class Bv(Type):
    """`bvN`, the bit-vectors of one width; `bv0` is allowed, as in Boogie."""

    width: int


@frozen(eq=False)
class Float(Type):
    """`floatSeE`: IEEE 754 numbers; the significand's width counts the hidden bit."""

    significand: int
    exponent: int


@frozen(eq=False)
class Map(Type):
    """`[D1, …, Dn]R`, a total map."""

    domain: tuple[Type, ...]
    range: Type


@frozen(eq=False)
class Named(Type):
    """A user's type: an uninterpreted sort (perhaps with arguments) or a datatype."""

    name: str
    args: tuple[Type, ...]


@frozen(eq=False)
class TypeVar(Type):
    """A type parameter. Only the definition of a parameterised synonym still has one in a `Program`."""

    name: str


BOOL = Basic("bool")
INT = Basic("int")
REAL = Basic("real")
RMODE = Basic("rmode")
STRING = Basic("string")
REGEX = Basic("regex")

BASIC_TYPES: dict[str, Type] = {t.name: t for t in (BOOL, INT, REAL, RMODE, STRING, REGEX)}


def parts(type_: Type) -> tuple[Type, ...]:
    """The types that `type_` is directly made of."""
    match type_:
        case Map(domain, range_):
            return (*domain, range_)
        case Named(_, args):
            return args
        case _:
            return ()


def with_parts(type_: Type, new: tuple[Type, ...]) -> Type:
    """`type_` with other parts, in the order of `parts`."""
    match type_:
        case Map():
            return Map(new[:-1], new[-1])
        case Named(name, _):
            return Named(name, new)
        case _:
            return type_
