"""Which datatypes have values at all: a value is built from smaller ones, so some constructor must need none."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.ir.program import Datatype
from paddock.ir.types import Map, Type


def without_values(datatypes: Sequence[Datatype]) -> list[Datatype]:
    """The datatypes each of whose constructors needs a value of such a datatype first."""
    datatype_of: dict[Type, Datatype] = {d.type: d for d in datatypes}
    missing: dict[tuple[Type, str], int] = {}  # how many fields of a constructor are not known to have values
    waiting: dict[Type, list[tuple[Type, str]]] = {type_: [] for type_ in datatype_of}
    inhabited: list[Type] = []
    for type_, datatype in datatype_of.items():
        for constructor in datatype.constructors:
            needed = {t for field in constructor.fields if (t := _element(field.var.type)) in datatype_of}
            missing[type_, constructor.name] = len(needed)
            for field_type in needed:
                waiting[field_type].append((type_, constructor.name))
            if not needed:
                inhabited.append(type_)
    found: set[Type] = set()
    while inhabited:
        type_ = inhabited.pop()
        if type_ in found:
            continue
        found.add(type_)
        for key in waiting[type_]:
            missing[key] -= 1
            if not missing[key]:
                inhabited.append(key[0])
    return [d for type_, d in datatype_of.items() if type_ not in found]


def _element(type_: Type) -> Type:
    """What a map consists of in the end; a map is at least as large as its elements."""
    while isinstance(type_, Map):
        type_ = type_.range
    return type_
