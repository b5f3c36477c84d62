"""The words of Boogie as text: identifiers with their quoting, and literals exactly as they were meant."""

from __future__ import annotations

import re
from fractions import Fraction

from paddock.digits import digits
from paddock.ir.expr import Lit
from paddock.ir.types import BOOL, REAL, STRING, Bv, Float

# Whatever some version of Boogie reserves. A quoted name (`\goto`) is read by all of them, so this list
# errs on the long side; `left`, `right`, `both` and `atomic` are read as names everywhere.
_RESERVED = """
    action assert asserts assume async axiom bool break call complete const creates datatype div else ensures
    exists extends false finite forall free function goto havoc hide hideable if implementation int invariant
    is lambda mod modifies old par pop preserves procedure pure push real refines requires return returns
    reveal revealed then true type unique uses using var where while yield
    RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway
    roundTowardPositive roundTowardNegative roundTowardZero
"""
KEYWORDS = frozenset(_RESERVED.split())

_IDENTIFIER = re.compile(r"[A-Za-z'~#$^_.?`][A-Za-z'~#$^_.?`0-9]*")
_STRING = re.compile(r'(?:[^"\\\r\n]|\\[^\r\n])*')
ROUNDING_MODES = ("RNE", "RNA", "RTP", "RTN", "RTZ")


def quotable(text: str) -> str:
    """A text as it can stand between quotation marks: on one line, with escapes."""
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())


def unescaped(text: str) -> str:
    """What stands between quotation marks, without the escapes of `quotable`."""
    return re.sub(r"\\([\\\"])", r"\1", text)


def is_identifier(name: str) -> bool:
    """Whether Boogie can spell this name at all."""
    return _IDENTIFIER.fullmatch(name) is not None


def is_string(text: str) -> bool:
    """Whether the text can stand between quotation marks as it is; escapes are kept as written."""
    return _STRING.fullmatch(text) is not None


def quoted(name: str) -> str:
    """The name as it is written in a program: keywords get a backslash in front."""
    return "\\" + name if name in KEYWORDS else name


def literal_text(literal: Lit) -> str:
    value, type_ = literal.value, literal.type
    if type_ is BOOL:
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if type_ is STRING else value
    if isinstance(type_, Bv):
        return f"{digits(int(value))}bv{type_.width}"
    if isinstance(type_, Float):
        return _float_text(int(value), type_)
    if type_ is REAL:
        return _decimal_text(Fraction(value))
    return digits(int(value))


def _decimal_text(value: Fraction) -> str:
    """A real with a finite decimal expansion, with at least one digit after the point."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1 or value < 0:
        raise ValueError("a real literal is not negative and has finitely many decimals")
    places = max(twos, fives, 1)
    figures = digits(value.numerator * 10**places // value.denominator).zfill(places + 1)
    return f"{figures[:-places]}.{figures[-places:]}"


def _float_text(bits: int, type_: Float) -> str:
    """Boogie's notation: a hexadecimal significand times a power of sixteen.

    The digits A to F are capitals because a small `e` marks the exponent.
    """
    fraction_width = type_.significand - 1
    size = f"{type_.significand}e{type_.exponent}"
    fraction = bits & ((1 << fraction_width) - 1)
    biased = (bits >> fraction_width) & ((1 << type_.exponent) - 1)
    negative = bits >> (fraction_width + type_.exponent) & 1
    if biased == (1 << type_.exponent) - 1:
        return f"0NaN{size}" if fraction else f"0{'-' if negative else '+'}oo{size}"
    sign = "-" if negative else ""
    significand = fraction if biased == 0 else fraction | 1 << fraction_width
    if significand == 0:
        return f"{sign}0x0.0e0f{size}"
    bias = (1 << (type_.exponent - 1)) - 1
    # The value is significand * 2**power; split the power into a power of 16 and a shift by 0 to 3 bits.
    power_of_16, shift = divmod(max(biased, 1) - bias - fraction_width, 4)
    figures = f"{significand << shift:X}"
    exponent = power_of_16 + len(figures) - 1
    figures = figures.rstrip("0")
    return f"{sign}0x{figures[0]}.{figures[1:] or '0'}e{digits(exponent)}f{size}"


_ESCAPE = re.compile(r'\\u\{([0-9a-fA-F]{1,5})\}|\\u([0-9a-fA-F]{4})|\\(")')


def unescape(literal: str) -> str:
    """The string that a literal's text stands for: SMT-LIB's `\\u{…}` and `\\uXXXX`, and Boogie's `\\"`."""
    return _ESCAPE.sub(lambda m: m[3] or _character(m), literal)


def _character(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x30000 else match[0]  # SMT-LIB's characters are those of the planes 0 to 2
