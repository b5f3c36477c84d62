"""What CBMC adds to the syntax of C, written in words that clang understands, before it reads a text.

    __CPROVER_forall { int i; a ==> b }      ({__CPROVER_all;   int i; a ?   b :__CPROVER_implied;})

`verifiers.h` has the three names, and the reader of expressions knows them. All lines stay, and all columns but those
behind an operand of `==>` or a quantifier on its last line.
"""

from __future__ import annotations

import re

_QUANTIFIERS = {b"__CPROVER_forall": b"({__CPROVER_all;", b"__CPROVER_exists": b"({__CPROVER_any;"}
_IMPLIED = b":__CPROVER_implied"
# (a ==> b) ? c : d would need a bracket before a.
_REFUSAL = b' _Pragma("GCC error \\"==> before ? without brackets is not supported\\"") '
_TOKENS = re.compile(
    rb"""(?P<skipped>//(?:\\\r?\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\\\r?\n|[ \t\r\f\v]+)"""
    rb"""|(?P<directive>(?m:^)\#)|(?P<word>[A-Za-z_]\w*)|(?P<implies>==>)|(?P<mark>[()\[\]{};,?:\n])|.""",
    re.DOTALL,
)
_OPENING, _CLOSING = (b"(", b"[", b"{"), (b")", b"]", b"}")
_ENDS_OPERAND = frozenset((b";", b",", b":", b"?"))


class _Open:
    """A bracket that is open: where a quantifier has its brace, and how many operands of `==>` end with it."""

    def __init__(self, *, quantifier: bool = False) -> None:
        self.quantifier = quantifier
        self.implications = 0


def has_notation(text: str) -> bool:
    """Whether a text may have something of CBMC's syntax in it."""
    return "==>" in text or any(word.decode() in text for word in _QUANTIFIERS)


def plain_c(text: bytes) -> bytes:
    """A text without CBMC's syntax."""
    if b"==>" not in text and not any(word in text for word in _QUANTIFIERS):
        return text
    edits: list[tuple[int, int, bytes]] = []
    stack = [_Open()]
    outside: list[_Open] | None = None  # the brackets around a directive of the preprocessor
    keyword: re.Match[bytes] | None = None  # a quantifier whose brace comes next
    for token in _TOKENS.finditer(text):
        if token["skipped"]:
            continue
        mark, start = token["mark"], token.start()
        if token["directive"] and outside is None:
            outside, stack = stack, [_Open()]
        if keyword is not None and mark != b"\n":
            if mark == b"{":
                edits += [(*keyword.span(), _QUANTIFIERS[keyword[0]]), (start, start + 1, b" ")]
                stack.append(_Open(quantifier=True))
                keyword = None
                continue
            keyword = None
        if token["word"] in _QUANTIFIERS:
            keyword = token
        elif token["implies"]:
            edits.append((*token.span(), b"?  "))
            stack[-1].implications += 1
        elif mark in _OPENING:
            stack.append(_Open())
        elif mark in _CLOSING:
            edits += _closed(stack.pop(), start)
            stack = stack or [_Open()]
        elif mark in _ENDS_OPERAND:
            if mark == b"?" and stack[-1].implications:
                edits.append((start, start, _REFUSAL))
            edits += _operands_end(stack[-1], start)
        elif mark == b"\n" and outside is not None:
            edits += _operands_end(stack[-1], start)
            stack, outside = outside, None
    return _edited(text, edits)


def _operands_end(open_: _Open, place: int) -> list[tuple[int, int, bytes]]:
    count, open_.implications = open_.implications, 0
    return [(place, place, _IMPLIED * count)] if count else []


def _closed(open_: _Open, place: int) -> list[tuple[int, int, bytes]]:
    edits = _operands_end(open_, place)
    return [*edits, (place, place + 1, b";})")] if open_.quantifier else edits


def _edited(text: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    parts, at = [], 0
    for start, end, new in edits:
        parts += [text[at:start], new]
        at = end
    return b"".join((*parts, text[at:]))
