"""The terms that denote the interpreter's values: how a model is asked about a case that a replay has met."""

from __future__ import annotations

from fractions import Fraction

from paddock.ir.types import Map, Type
from paddock.solvers.interface import Term
from paddock.solvers.ops import Op
from paddock.trace.values import DataValue, MapValue, Undecided, Value
from paddock.vc.encode import Encoder


def value_term(encoder: Encoder, root: Value, type_: Type) -> Term:
    """The term that denotes a value; raises `Undecided` where a solver has none for it. Works inside out."""
    done: list[Term] = []
    stack: list[tuple[Value, Type, bool]] = [(root, type_, False)]
    while stack:
        value, wanted, parts_done = stack.pop()
        parts = _parts_of(value, wanted)
        if parts and not parts_done:
            stack.append((value, wanted, True))
            stack.extend((v, t, False) for v, t in reversed(parts))
            continue
        taken = done[len(done) - len(parts) :]
        del done[len(done) - len(parts) :]
        done.append(_term_of(encoder, value, wanted, taken))
    return done[0]


def _parts_of(value: Value, type_: Type) -> list[tuple[Value, Type]]:
    match value, type_:
        case MapValue(default, entries), Map(domain, range_):
            parts = [(default, range_)]
            for index, element in entries.items():
                parts += [*zip(index, domain, strict=True), (element, range_)]
            return parts
        case DataValue(constructor, fields), _:
            return [(v, f.var.type) for v, f in zip(fields, constructor.fields, strict=True)]
        case _:
            return []


def _term_of(encoder: Encoder, value: Value, type_: Type, parts: list[Term]) -> Term:
    terms = encoder.terms
    match value, type_:
        case MapValue(), Map(domain):
            array = terms.const_array(encoder.sort(type_), parts[0])
            for n in range(1, len(parts), len(domain) + 1):
                array = terms.app(Op.STORE, (array, *parts[n : n + len(domain) + 1]))
            return array
        case DataValue(constructor), _:
            return encoder.datatypes.construct(constructor.name, parts)
        case bool() | int() | Fraction() | str(), _:
            return terms.literal(value, encoder.sort(type_))
        case _:
            raise Undecided(f"a solver's term for a value of type {type_}")
