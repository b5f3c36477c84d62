"""The values that a model gives to terms.

A `Bool` is a bool, an `Int` an int, a `Real` a Fraction, a bit-vector an unsigned int, a float its IEEE 754
bits as an int (one NaN), a rounding mode its SMT-LIB abbreviation (`"RNE"`), a string a str. The other
sorts have classes here. All values are hashable and immutable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from paddock.frozen import frozen
from paddock.solvers.sorts import FloatSort


@frozen
class ElementValue:
    """An element of an uninterpreted sort: within one model, different indices are different elements."""

    sort: str
    index: int


@frozen
class DataValue:
    """A datatype's value."""

    constructor: str
    fields: tuple[Value, ...] = ()


@frozen
class ArrayValue:
    """An array: `entries` by index tuple, `default` elsewhere. No entry equals the default."""

    default: Value
    entries: Mapping[tuple[Value, ...], Value]

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.entries.items())))


@frozen
class OpaqueValue:
    """What has no Python value, such as an irrational number; `text` is the solver's notation."""

    text: str


Value = bool | int | Fraction | str | ElementValue | DataValue | ArrayValue | OpaqueValue


@frozen
class FunctionTable:
    """The meaning of a declared function: `entries` by argument tuple, `default` elsewhere.

    The default is None where the model leaves it open, so that any value will do.
    """

    entries: Mapping[tuple[Value, ...], Value]
    default: Value | None


# Rounding modes by each of SMT-LIB's two names.
ROUNDING_MODES = {
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}
ROUNDING_MODES |= {short: short for short in ROUNDING_MODES.values()}


def array_value(default: Value, stores: Iterable[tuple[tuple[Value, ...], Value]]) -> ArrayValue:
    """An array from its default and its stores, earliest first: a later store to an index wins."""
    entries = {index: value for index, value in dict(stores).items() if value != default}
    return ArrayValue(default, entries)


def canonical_nan(sort: FloatSort) -> int:
    """The bits of the one NaN: positive, quiet, no payload."""
    return ((1 << sort.exponent) - 1) << (sort.significand - 1) | 1 << (sort.significand - 2)


def is_nan(bits: int, sort: FloatSort) -> bool:
    fraction = sort.significand - 1
    exponent = bits >> fraction & (1 << sort.exponent) - 1
    return exponent == (1 << sort.exponent) - 1 and bits % (1 << fraction) != 0
