"""Floating point in C for `c_text.py`: `float` and `double` are IEEE's, and so is what C does with them.

That is true of verifiers, and of compilers that compute with no more precision than asked for. What C leaves open (a
number that is too large for an integer) is arbitrary; what only a library computes (square roots, say) is not here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paddock.backends.c_bits import number
from paddock.ir.expr import Op
from paddock.ir.types import BOOL, Bv, Float, Type

WIDTHS: Mapping[Type, int] = {Float(24, 8): 32, Float(53, 11): 64}  # in bits
_NAMES = {32: "float", 64: "double"}

# For numbers of n bits; {inf} has the bits of infinity.
_HELPERS = """\
static f{n} float_of{n}(u{n} bits)
{{
  union {{ u{n} bits; f{n} number; }} both;
  both.bits = bits;
  return both.number;
}}
static u{n} bits_of{n}(f{n} number)
{{
  union {{ u{n} bits; f{n} number; }} both;
  both.number = number;
  return both.bits;
}}
static _Bool same{n}(f{n} a, f{n} b)
{{
  return (a != a && b != b) || bits_of{n}(a) == bits_of{n}(b);
}}
static u{n} class{n}(f{n} number)
{{
  return bits_of{n}(number) & {inf};
}}"""

# One of m bits to an integer of n, towards zero; it is any integer if there is no such one.
_CONVERSIONS = """\
static u{n} sbv{n}_of{m}(f{m} a)
{{
  _Bool fits = (a >= -{half} || a > -{half} - 1) && a < {half};
  return fits ? (u{n})(s{n})a : nondet_u{n}();
}}
static u{n} ubv{n}_of{m}(f{m} a)
{{
  return a > -1 && a < 2 * {half} ? (u{n})a : nondet_u{n}();
}}"""

_INFINITY = {32: "0x7f800000u", 64: "0x7ff0000000000000ull"}

# On numbers of n bits.
OPERATORS = {
    Op.EQ: "same{n}({a}, {b})",
    Op.NE: "(!same{n}({a}, {b}))",
    Op.LT: "({a} < {b})",
    Op.LE: "({a} <= {b})",
    Op.GT: "({a} > {b})",
    Op.GE: "({a} >= {b})",
    Op.NEG: "(-{a})",
    Op.ADD: "({a} + {b})",
    Op.SUB: "({a} - {b})",
    Op.MUL: "({a} * {b})",
    Op.RDIV: "({a} / {b})",
}

# On numbers of n bits, with the bits of infinity and of the sign.
_BUILTINS = {
    "=": "same{n}({a}, {b})",
    "fp.eq": "({a} == {b})",
    "fp.lt": "({a} < {b})",
    "fp.leq": "({a} <= {b})",
    "fp.gt": "({a} > {b})",
    "fp.geq": "({a} >= {b})",
    "fp.neg": "(-{a})",
    "fp.add RNE": "({a} + {b})",
    "fp.sub RNE": "({a} - {b})",
    "fp.mul RNE": "({a} * {b})",
    "fp.div RNE": "({a} / {b})",
    "fp.abs": "float_of{n}(bits_of{n}({a}) & ~{sign})",
    "fp.isNaN": "({a} != {a})",
    "fp.isZero": "({a} == 0)",
    "fp.isInfinite": "({a} == {a} && class{n}({a}) == {inf})",
    "fp.isNormal": "(class{n}({a}) != 0 && class{n}({a}) != {inf})",
    "fp.isSubnormal": "(class{n}({a}) == 0 && {a} != 0)",
    "fp.isNegative": "({a} == {a} && (bits_of{n}({a}) & {sign}) != 0)",
    "fp.isPositive": "({a} == {a} && (bits_of{n}({a}) & {sign}) == 0)",
}

_OF_FLOATS = {"fp.neg", "fp.abs", "fp.add RNE", "fp.sub RNE", "fp.mul RNE", "fp.div RNE"}  # the others are tests
_TO_INTEGER = re.compile(r"\(_ fp\.to_([su])bv (8|16|32|64)\) RTZ")


def declarations() -> list[str]:
    """What the operations need, after the types of integers."""
    lines = []
    for n, name in _NAMES.items():
        lines += [f"typedef {name} f{n};", f"f{n} nondet_f{n}(void);", _HELPERS.format(n=n, inf=_INFINITY[n])]
    for n, integer in ((8, "signed char"), (16, "short"), (32, "int"), (64, "long long")):
        lines.append(f"typedef {integer} s{n};")
        for m in _NAMES:
            lines.append(_CONVERSIONS.format(n=n, m=m, half=f"(f{m})0x1p{n - 1}"))
    return lines


def literal(bits: int, width: int) -> str:
    return f"float_of{width}({number(bits, width)})"


def builtin(meaning: str, operands: Sequence[Type], result: Type, args: dict[str, str]) -> str | None:
    """A function with a meaning in SMT-LIB, in C, if it is about floating point and has a counterpart for these types
    of operands and of its result."""
    match operands:
        case [first, *others] if all(other == first for other in others):
            return _on_one_type(meaning, first, result, args)
        case _:
            return None


def may_be_arbitrary(meaning: str) -> bool:
    """Whether what a function of floating point gives may be arbitrary in C."""
    return _TO_INTEGER.fullmatch(meaning) is not None


def _on_one_type(meaning: str, operand: Type, result: Type, args: dict[str, str]) -> str | None:
    if (n := WIDTHS.get(operand)) is not None:
        if meaning in _BUILTINS:
            text = _BUILTINS[meaning]
            if len(args) != 1 + ("{b}" in text) or result != (operand if meaning in _OF_FLOATS else BOOL):
                return None
            return text.format(**args, n=n, inf=_INFINITY[n], sign=number(1 << (n - 1), n))
        if match := _TO_INTEGER.fullmatch(meaning):
            fits = len(args) == 1 and result == Bv(int(match[2]))
            return f"{match[1]}bv{match[2]}_of{n}({args['a']})" if fits else None
    if not isinstance(result, Float) or (n := WIDTHS.get(result)) is None or len(args) != 1:
        return None
    match operand, meaning.replace(f" {result.exponent} {result.significand})", ""):
        case Float(), "(_ to_fp RNE":
            return f"((f{n}){args['a']})"
        case Bv(width), "(_ to_fp RNE":
            return f"((f{n})(s{width}){args['a']})"
        case Bv(width), "(_ to_fp_unsigned RNE":
            return f"((f{n})(u{width}){args['a']})"
        case Bv(width), "(_ to_fp" if width == n:
            return f"float_of{n}({args['a']})"
        case _:
            return None
