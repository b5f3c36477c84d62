"""Bit-vectors in C for `c_text.py`: unsigned integers of 8, 16, 32 and 64 bits, with the meanings of SMT-LIB."""

from __future__ import annotations

import re

from paddock.ir.types import BOOL, Bv, Type

WIDTHS = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}

# With operands of n bits as words of w bits (32 or more, so that C does not make them signed), and the sign bit s.
_OPERATORS = {
    "bvadd": "(u{n})((u{w}){a} + (u{w}){b})",
    "bvsub": "(u{n})((u{w}){a} - (u{w}){b})",
    "bvmul": "(u{n})((u{w}){a} * (u{w}){b})",
    "bvand": "(u{n})((u{w}){a} & (u{w}){b})",
    "bvor": "(u{n})((u{w}){a} | (u{w}){b})",
    "bvxor": "(u{n})((u{w}){a} ^ (u{w}){b})",
    "bvneg": "(u{n})(0 - (u{w}){a})",
    "bvnot": "(u{n})(~(u{w}){a})",
    "bvudiv": "({b} ? (u{n})({a} / {b}) : (u{n})-1)",
    "bvurem": "({b} ? (u{n})({a} % {b}) : {a})",
    "bvshl": "({b} < {n} ? (u{n})((u{w}){a} << {b}) : (u{n})0)",
    "bvlshr": "({b} < {n} ? (u{n})({a} >> {b}) : (u{n})0)",
    "bvult": "({a} < {b})",
    "bvule": "({a} <= {b})",
    "bvugt": "({a} > {b})",
    "bvuge": "({a} >= {b})",
    "bvslt": "((u{n})({a} ^ {s}) < (u{n})({b} ^ {s}))",
    "bvsle": "((u{n})({a} ^ {s}) <= (u{n})({b} ^ {s}))",
    "bvsgt": "((u{n})({a} ^ {s}) > (u{n})({b} ^ {s}))",
    "bvsge": "((u{n})({a} ^ {s}) >= (u{n})({b} ^ {s}))",
    "bvsdiv": "sdiv{n}({a}, {b})",
    "bvsrem": "srem{n}({a}, {b})",
    "bvashr": "ashr{n}({a}, {b})",
}

_HELPERS = """\
static u{n} sdiv{n}(u{n} a, u{n} b)
{{
  u{n} x = a & {s} ? (u{n})(0 - (u{w})a) : a, y = b & {s} ? (u{n})(0 - (u{w})b) : b;
  u{n} q = y ? (u{n})(x / y) : (u{n})-1;
  return (a ^ b) & {s} ? (u{n})(0 - (u{w})q) : q;
}}
static u{n} srem{n}(u{n} a, u{n} b)
{{
  u{n} x = a & {s} ? (u{n})(0 - (u{w})a) : a, y = b & {s} ? (u{n})(0 - (u{w})b) : b;
  u{n} r = y ? (u{n})(x % y) : x;
  return a & {s} ? (u{n})(0 - (u{w})r) : r;
}}
static u{n} ashr{n}(u{n} a, u{n} b)
{{
  u{n} sign = a & {s} ? (u{n})-1 : (u{n})0;
  return b >= {n} ? sign : b ? (u{n})((u{n})(a >> b) | (u{n})((u{w})sign << ({n} - b))) : a;
}}"""


def declarations() -> list[str]:
    """What the operations need, after the types of integers."""
    return [_HELPERS.format(n=width, w=max(width, 32), s=_sign(width)) for width in WIDTHS]


def number(value: int, width: int) -> str:
    """A number as C writes it."""
    return f"{value}{'ull' if width == 64 else 'u'}"


def literal(value: int, width: int) -> str:
    return f"((u{width}){number(value, width)})"


def builtin(meaning: str, width: int, result: Type, args: dict[str, str]) -> str | None:
    """A function of SMT-LIB in C, if it has a counterpart for so many operands of a width, and this result."""
    if meaning in _OPERATORS:
        text = _OPERATORS[meaning]
        is_typed = result is BOOL if re.fullmatch("bv[us][lg][te]", meaning) else result == Bv(width)
        if not is_typed or len(args) != 1 + ("{b}" in text):
            return None
        return text.format(**args, n=width, w=max(width, 32), s=_sign(width))
    match = re.fullmatch(r"\(?_? ?(zero|sign)_extend (\d+)\)?", meaning)
    if match is None or len(args) != 1 or result != Bv(wide := width + int(match[2])):
        return None
    sign = f"(u{wide}){_sign(width)}" if match[1] == "sign" else "0"
    word = max(wide, 32)
    return f"(u{wide})(((u{word}){args['a']} ^ (u{word}){sign}) - (u{word}){sign})"


def _sign(width: int) -> str:
    return number(1 << (width - 1), width)
