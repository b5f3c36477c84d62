"""Boogie text to tokens, with one regular expression over the whole text.

Every match is a token together with the white space behind it, so the matches cover the text without
gaps and their lengths give the positions. Texts repeat a lot: only the distinct ones are classified.
"""

from __future__ import annotations

import re
from itertools import accumulate

from paddock.frontends.boogie.problems import Problems
from paddock.frontends.source import Source
from paddock.frozen import mutable
from paddock.ir.origin import InputError

# The kind of a keyword, an operator or a bracket is its text; the other kinds:
IDENTIFIER = "identifier"
INTEGER = "integer"
REAL = "real literal"
BITVECTOR = "bit-vector literal"
FLOAT = "float literal"
ROUNDING = "rounding mode"
STRING = "string"
END = "end of file"
_UNKNOWN = "unknown"

_KEYWORDS = """
    assert assume axiom bool break call const div else ensures exists false forall free function goto havoc if
    implementation int invariant is lambda mod modifies old procedure real requires return returns then true
    type unique var where while
"""
KEYWORDS = frozenset(_KEYWORDS.split())

# Words with a meaning in some places that are names in all others.
_CONTEXTUAL = """
    async atomic both complete datatype extends finite hide hideable left par pop pure push reveal revealed right
    uses yield
"""
CONTEXTUAL = frozenset(_CONTEXTUAL.split())

NAMES = CONTEXTUAL | {IDENTIFIER}

ROUNDING_MODES = {
    "roundNearestTiesToEven": "RNE",
    "roundNearestTiesToAway": "RNA",
    "roundTowardPositive": "RTP",
    "roundTowardNegative": "RTN",
    "roundTowardZero": "RTZ",
}
ROUNDING_MODES |= {short: short for short in ROUNDING_MODES.values()}

_UNICODE = {
    "⇔": "<==>",
    "⇒": "==>",
    "⇐": "<==",
    "∧": "&&",
    "∨": "||",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "¬": "!",
    "∀": "forall",
    "∃": "exists",
    "λ": "lambda",
    "•": "::",
}

# Longer operators stand before their prefixes.
_SIGNS = "<==> ==> <== <= >= == != := :: -> && || ++ ** <: + - * / ! < > = | ( ) [ ] { } , ; :"
_OPERATORS = _SIGNS.split()

_STRING = r'"(?:[^"\r\n]++|(?<=\\)")*"'  # as in Boogie, \" may end a string when no later quote can

_TOKEN = re.compile(
    rf"""
    (?: \\?[A-Za-z'~#$^_.?`][A-Za-z'~#$^_.?`0-9]*
      | [,;()] | \{{\s*:(?![:=]) | \|\{{(?!\s*:)
      | {"|".join(map(re.escape, _OPERATORS))}
      | 0x[0-9a-fA-F]+\.[0-9a-fA-F]+e-?[0-9]+f[0-9]+e[0-9]+
      | 0(?:NaN|nan|[+-]oo)[0-9]+e[0-9]+
      | [0-9]+(?:bv[0-9]+|\.[0-9]+(?:e-?[0-9]+)?|e-?[0-9]+)?
      | {_STRING}
      | .
    )\s*
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_BLANKS = " \t\r\n\f\v"  # what \s means above
_START = re.compile(rf"\ufeff?[{_BLANKS}]*")  # a byte order mark may stand there

_FIXED: dict[str, str] = {
    **{word: word for word in (*KEYWORDS, *CONTEXTUAL, *_OPERATORS, "|{")},
    **dict.fromkeys(ROUNDING_MODES, ROUNDING),
    **_UNICODE,
}

_LONGEST_NUMBER = 100_000  # reading a number takes quadratic time

_COMMENT_OR_STRING = re.compile(rf"{_STRING}|//[^\n]*|/\*")
_COMMENT_EDGE = re.compile(r"/\*|\*/")


@mutable
class Tokens:
    """Three lists of the same length; the last token has the kind `END`."""

    kinds: list[str]
    texts: list[str]
    positions: list[int]


def tokenize(source: Source) -> Tokens:
    """The tokens of a text without its comments; an identifier's text is without its backslash."""
    if "\0" in source.text:
        raise InputError(source.diagnostic(source.text.index("\0"), "this is not a Boogie program but binary data"))
    text = without_comments(source)
    start = _START.match(text).end()  # type: ignore[union-attr]  # it matches the empty string
    pieces = _TOKEN.findall(text, start)
    positions = list(accumulate(map(len, pieces), initial=start))
    kind_of: dict[str, str] = {}
    text_of: dict[str, str] = {}
    for piece in dict.fromkeys(pieces):
        kind_of[piece], text_of[piece] = _classify(piece.rstrip(_BLANKS))
    kinds = list(map(kind_of.__getitem__, pieces))
    texts = list(map(text_of.__getitem__, pieces))
    if _UNKNOWN in kind_of.values():
        _complain(source, Tokens(kinds, texts, positions))
    kinds.append(END)
    texts.append("")
    positions[-1] = len(text.rstrip(_BLANKS))
    return Tokens(kinds, texts, positions)


def _classify(text: str) -> tuple[str, str]:
    """The kind and the meant text of a token."""
    fixed = _FIXED.get(text)
    if fixed is not None:
        return fixed, text
    first = text[0]
    if "0" <= first <= "9":
        return (_number_kind(text) if len(text) <= _LONGEST_NUMBER else _UNKNOWN), text
    if first == '"' and len(text) > 1:
        return STRING, text
    if first == "{":
        return "{:", "{:"
    if first == "\\" and len(text) > 1:
        return IDENTIFIER, text[1:]
    if first.isascii() and (first.isalpha() or first in "'~#$^_.?`"):
        return IDENTIFIER, text
    return _UNKNOWN, text


def _number_kind(text: str) -> str:
    if text.isdigit():
        return INTEGER
    if text[1] in "xNn+-":
        return FLOAT
    return BITVECTOR if "bv" in text else REAL


def without_comments(source: Source) -> str:
    """The code with every comment turned into spaces, so that positions stay."""
    text = source.code
    if "//" not in text and "/*" not in text:
        return text
    parts: list[str] = []
    kept = at = 0
    while found := _COMMENT_OR_STRING.search(text, at):
        start, at = found.span()
        if text[start] == '"':
            continue
        if text[start + 1] == "*":
            at = _end_of_comment(source, start)
        parts += (text[kept:start], " " * (at - start))
        kept = at
    parts.append(text[kept:])
    return "".join(parts)


def _end_of_comment(source: Source, start: int) -> int:
    """Where the comment `/* … */` that begins at `start` ends; such comments nest."""
    depth, at = 1, start + 2
    while depth:
        edge = _COMMENT_EDGE.search(source.code, at)
        if edge is None:
            raise InputError(source.diagnostic(start, "this comment is not closed: '*/' is missing"))
        depth += 1 if edge[0] == "/*" else -1
        at = edge.end()
    return at


def _complain(source: Source, tokens: Tokens) -> None:
    """Raises an error for every character that is no part of the language."""
    problems = Problems()
    problems.source = source
    for kind, text, pos in zip(tokens.kinds, tokens.texts, tokens.positions, strict=False):
        if kind != _UNKNOWN:
            continue
        character = source.text[pos]
        if text == '"':
            problems.add(pos, "this string is not closed on its line")
        elif len(text) > _LONGEST_NUMBER:
            problems.add(pos, f"this number has more than {_LONGEST_NUMBER} digits")
        elif character.isprintable() and character != "\ufffd":
            problems.add(pos, f"unexpected character '{character}'")
        else:
            # The rest of such a text is hardly a program: no more to say about it.
            problems.add(pos, f"unexpected character U+{ord(character):04X}: is this a text file?")
            break
    problems.raise_if_any()
