"""Literals of C as numbers: strings with their escapes, and floating constants of any precision."""

from __future__ import annotations

import re
from fractions import Fraction

from paddock.digits import integer
from paddock.frontends.c.types import FloatType

_ESCAPES = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "e": 27, "E": 27}
_PIECE = re.compile(
    r"""\\(?P<octal>[0-7]{1,3})|\\x(?P<hex>[0-9a-fA-F]+)|\\u(?P<short>[0-9a-fA-F]{4})|\\U(?P<long>[0-9a-fA-F]{8})"""
    r"""|\\(?P<escape>.)|""(?P<gap>)|(?P<plain>.)""",
    re.DOTALL,
)
_FLOAT = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F.]+)[pP](?P<power>[+-]?\d+)|(?P<decimal>[0-9.]+)(?:[eE](?P<exponent>[+-]?\d+))?)"
)
_LARGEST_EXPONENT = 20_000  # of ten: beyond what any floating type of C can represent


def string_units(spelling: str, width: int) -> tuple[int, ...]:
    """The elements of a string literal as clang prints it, in units of so many bits, without the zero at the end."""
    body = spelling[spelling.index('"') + 1 : -1]
    encoding = {8: "utf-8", 16: "utf-16-le", 32: "utf-32-le"}[width]
    units: list[int] = []
    for piece in _PIECE.finditer(body):
        kind, text = piece.lastgroup, piece[piece.lastgroup or 0]
        match kind:
            case "octal":
                units.append(int(text, 8))
            case "hex":
                units.append(int(text, 16))
            case "escape":
                units.append(_ESCAPES.get(text, ord(text)))
            case "gap":  # two literals side by side
                pass
            case _:
                code = chr(int(text, 16)) if kind in ("short", "long") else text
                raw = code.encode(encoding, "surrogatepass")
                size = width // 8
                units += [int.from_bytes(raw[i : i + size], "little") for i in range(0, len(raw), size)]
    return tuple(units)


def float_value(text: str) -> Fraction | None:
    """The exact value of a floating constant, whatever its suffix; None if the text is none, or beyond all types."""
    number = _FLOAT.match(text)
    if number is None:
        return None
    if number["hex"] is not None:
        whole, _, part = number["hex"].partition(".")
        power = integer(number["power"]) - 4 * len(part)
        value, base, most = int(whole + part or "0", 16), 2, _LARGEST_EXPONENT + 4 * len(whole + part)
    else:
        whole, _, part = number["decimal"].partition(".")
        power = integer(number["exponent"] or "0") - len(part)
        value, base, most = integer(whole + part or "0"), 10, _LARGEST_EXPONENT + len(whole + part)
    if abs(power) > most:
        return None
    return Fraction(value * base**power) if power >= 0 else Fraction(value, base**-power)


def rounded(number: Fraction, type: FloatType) -> Fraction | None:
    """The nearest number that a type has, ties to even; None if that is an infinity."""
    if not number:
        return number
    sign = -1 if number < 0 else 1
    size = abs(number)
    bias = (1 << (type.exponent - 1)) - 1
    # 2**exponent <= size < 2**(exponent + 1)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    last = max(exponent, 1 - bias) - (type.significand - 1)  # the exponent of the last digit
    digits = round(size / Fraction(2) ** last)  # Python rounds ties to even
    result = digits * Fraction(2) ** last
    return None if result >= Fraction(2) ** (bias + 1) else sign * result
