"""Values as a person reads them in a trace: `3`, `5bv32`, `1.5`, `[0 -> 1, else -> 0]`, `Cons(1, Nil())`, `T!2`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from paddock.digits import digits, quotient
from paddock.ir.expr import Lit
from paddock.ir.lexical import literal_text
from paddock.ir.types import REAL, REGEX, STRING, Bv, Float, Map, Type
from paddock.trace import floats
from paddock.trace.values import DataValue, Index, LambdaValue, MapValue, Regex, SortValue, Undecided, Value

_Piece = str | tuple[Value, Type]


def render(value: Value, type_: Type) -> str:
    """The text of a value of this type."""
    text: list[str] = []
    stack: list[_Piece] = [(value, type_)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            text.append(piece)
        else:
            stack.extend(reversed(list(_pieces(*piece))))
    return "".join(text)


def _pieces(value: Value, type_: Type) -> Iterator[_Piece]:
    match value:
        case DataValue(constructor, fields):
            yield f"{constructor.name}("
            yield from _listed(fields, tuple(f.var.type for f in constructor.fields))
            yield ")"
        case MapValue() | LambdaValue():
            assert isinstance(type_, Map)
            yield "["
            for index, element in _in_order(value):
                yield from _listed(index, type_.domain)
                yield " -> "
                yield (element, type_.range)
                yield ", "
            yield "else -> "
            yield str(value.binder) if isinstance(value, LambdaValue) else (value.default, type_.range)
            yield "]"
        case SortValue(sort, index):
            yield f"{sort}!{index}"
        case Regex():
            numbers = "".join(f" {digits(n)}" for n in value.numbers)
            yield f"(_ {value.op}{numbers})(" if numbers else f"{value.op}("
            yield from _listed(value.args, tuple(STRING if isinstance(a, str) else REGEX for a in value.args))
            yield ")"
        case bool():
            yield "true" if value else "false"
        case str():
            yield f'"{value}"' if type_ is STRING else value
        case _:
            yield _number(value, type_)


def _listed(values: Index, types: tuple[Type, ...]) -> Iterator[_Piece]:
    for i, piece in enumerate(zip(values, types, strict=True)):
        if i:
            yield ", "
        yield piece


def _in_order(value: MapValue | LambdaValue) -> list[tuple[Index, Value]]:
    entries = list(value.entries.items())
    if all(isinstance(part, int | Fraction | str) for index, _ in entries for part in index):
        entries.sort(key=lambda entry: entry[0])
    return entries


def _number(value: int | Fraction, type_: Type) -> str:
    match type_:
        case Bv(width):
            return f"{digits(int(value))}bv{width}"
        case Float():
            return _float(int(value), type_)
        case _ if type_ is REAL:
            return _real(Fraction(value))
        case _:
            return digits(int(value))


def _real(value: Fraction) -> str:
    """Decimals where there are finitely many, else a quotient."""
    rest, places = value.denominator, 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest, places = (rest // 10 if rest % 10 == 0 else rest // 5 if rest % 5 == 0 else rest // 2), places + 1
    if rest > 1:
        return quotient(value)
    figures = digits(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{figures[: len(figures) - places]}.{figures[len(figures) - places :] or '0'}"


def _float(bits: int, format_: Float) -> str:
    if floats.is_nan(bits, format_):
        return "NaN"
    sign = "-" if floats.sign_bit(bits, format_) else ""
    if floats.is_infinite(bits, format_):
        return f"{sign}oo" if sign else "+oo"
    # Python's float is binary64: it shows formats that are no wider exactly.
    try:
        magnitude = abs(floats.to_fraction(bits, format_))
        shortest = float(magnitude)
    except (OverflowError, Undecided):
        return literal_text(Lit(bits, format_))
    return f"{sign}{shortest}" if Fraction(shortest) == magnitude else literal_text(Lit(bits, format_))
