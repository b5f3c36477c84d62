"""Scripts of runs as plain data, and an oracle that gives them again, to whom the program allows it.

A value is read as one of the type of the variable that it is for; what is none ends the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from paddock.ir.expr import Var
from paddock.ir.types import BOOL, INT, REAL, STRING, Bv, Float, Map, Type
from paddock.trace import floats
from paddock.trace.domains import Domains
from paddock.trace.oracle import Why
from paddock.trace.run import Script
from paddock.trace.values import MapValue, Undecided, Value, map_of

LONGEST = 200_000  # choices and values together
MOST_DIGITS = 4_000
DEEPEST = 6  # maps in maps

_NONE = "the script from the store does not fit"


def to_data(script: Script) -> dict[str, Any] | None:
    """A script as data; None if it has values that are not kept."""
    if len(script.choices) + len(script.values) > LONGEST:
        return None
    try:
        return {"choices": list(script.choices), "values": [_value_data(value, 0) for value in script.values]}
    except Undecided:
        return None


def _value_data(value: Value, depth: int) -> Any:
    match value:
        case bool() | str():
            return value
        case int():
            return ["int", hex(value)]
        case Fraction():
            return ["real", hex(value.numerator), hex(value.denominator)]
        case MapValue(default, entries, _) if depth < DEEPEST:
            pairs = [[[_value_data(i, depth + 1) for i in at], _value_data(v, depth + 1)] for at, v in entries.items()]
            return ["map", _value_data(default, depth + 1), pairs]
        case _:
            raise Undecided(_NONE)


class StoredOracle:
    """Decides as data from a store says; `Undecided` where that does not fit."""

    def __init__(self, data: object, domains: Domains) -> None:
        match data:
            case {"choices": list(choices), "values": list(values)}:
                self._choices: Iterator[Any] = iter(choices)
                self._values: Iterator[Any] = iter(values)
            case _:
                self._choices = self._values = iter(())
        self._domains = domains

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        choice = next(self._choices, None)
        if not isinstance(choice, str) or choice not in targets:
            raise Undecided(_NONE)
        return choice

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        return self._read(next(self._values, None), var.type, 0)

    def _read(self, data: object, type_: Type, depth: int) -> Value:
        match data, type_:
            case bool(), _ if type_ is BOOL:
                return data
            case str(), _ if type_ is STRING:
                return data
            case ["int", str(text)], _ if type_ is INT:
                return _integer(text)
            case ["int", str(text)], Bv(width) if 0 <= _integer(text) < 1 << width:
                return _integer(text)
            case ["int", str(text)], Float() if 0 <= _integer(text) < 1 << floats.width(type_):
                return floats.canonical(_integer(text), type_)
            case ["real", str(top), str(bottom)], _ if type_ is REAL and _integer(bottom):
                return Fraction(_integer(top), _integer(bottom))
            case ["map", default, list(pairs)], Map() if depth < DEEPEST:
                return self._map(default, pairs, type_, depth + 1)
            case _:
                raise Undecided(_NONE)

    def _map(self, default: object, pairs: Sequence[object], type_: Map, depth: int) -> Value:
        entries: dict[tuple[Value, ...], Value] = {}
        for pair in pairs:
            match pair:
                case [list(at), value] if len(at) == len(type_.domain):
                    index = tuple(self._read(i, t, depth) for i, t in zip(at, type_.domain, strict=True))
                    entries[index] = self._read(value, type_.range, depth)
                case _:
                    raise Undecided(_NONE)
        return map_of(self._read(default, type_.range, depth), entries, self._domains.index_size(type_))


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise Undecided(_NONE)
    try:
        return int(text, 16)
    except ValueError:
        raise Undecided(_NONE) from None
