"""As what places are used: the types that strict aliasing (C11 6.5, 7) tells apart."""

from __future__ import annotations

from collections.abc import Hashable

from paddock.frontends.c import types as c
from paddock.frontends.c.memory_leaves import is_union_bits

CHARACTER = "character"


def without_dimensions(type_: c.CType) -> c.CType:
    """The type of the elements of an array, however many dimensions it has."""
    while isinstance(type_, c.ArrayType | c.VariableArrayType):
        type_ = type_.element
    return type_


def view_of(type_: c.CType) -> Hashable:
    """What tells types apart for strict aliasing; integers of one width are not."""
    depth = 0
    while isinstance(type_, c.PointerType):
        type_, depth = without_dimensions(type_.target), depth + 1
    if isinstance(type_, c.EnumType):
        type_ = type_.underlying
    base: Hashable = type_
    if isinstance(type_, c.IntType):
        base = CHARACTER if type_.width == c.BYTE else ("union" if is_union_bits(type_) else "integer", type_.width)
    return (depth, base) if depth else base
