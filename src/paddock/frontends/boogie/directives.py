"""Lines that begin with `#`: which part of a text counts, and where it says that it comes from.

    #if NAME … #elsif !NAME … #else … #endif       lines that count if a name is defined, or is not
    #line 12 file.c                                the next line is line 12 of file.c

As in Boogie, `FILE_0` is defined in the first file of a program, `FILE_1` in the second, and so on. What does not count
becomes blank, so that positions stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from paddock.digits import integer
from paddock.frontends.source import LineMark, Source
from paddock.frozen import mutable
from paddock.ir.origin import InputError

_ANY = re.compile(r"^[ \t]*#", re.MULTILINE)
_CONDITIONAL = re.compile(r"^[ \t]*#(if|elsif|else|endif)(.*)$", re.MULTILINE)
_PRAGMA = re.compile(r"^#(.*)$", re.MULTILINE)
_LINE = re.compile(r"line +([0-9]+)(?: +(.*))?")
_LARGEST_LINE = 2**31 - 1


@mutable
class _Conditional:
    """An `#if` that is open."""

    pos: int
    is_outer_included: bool
    had_branch: bool  # whether a branch counts already
    has_else: bool = False


def directed(source: Source, defined: Collection[str], without_comments: Callable[[Source], str]) -> Source:
    """The source with its directives followed; itself if it has none."""
    if _ANY.search(source.text) is None:
        return source
    chosen = Source(source.text, source.file, _chosen(source, defined))
    code = without_comments(chosen)
    file, marks = source.file, list[LineMark]()
    pieces: list[str] = []
    kept = 0
    for pragma in _PRAGMA.finditer(code):
        found = _LINE.fullmatch(pragma[1].rstrip())
        if found is None or len(found[1]) > 10 or integer(found[1]) > _LARGEST_LINE:
            wrong = "expected '#line NUMBER FILE'" if pragma[1].startswith("line") else "unknown directive"
            raise InputError(source.diagnostic(pragma.start(), wrong))
        file = found[2] or file
        marks.append(LineMark(source.line_number(pragma.start()) + 1, integer(found[1]), file))
        pieces += (code[kept : pragma.start()], " " * len(pragma[0]))
        kept = pragma.end()
    pieces.append(code[kept:])
    return Source(source.text, source.file, "".join(pieces), marks)


def _chosen(source: Source, defined: Collection[str]) -> str:
    """The text with blanks for the lines that do not count, and for those that say so."""
    text = source.text
    pieces: list[str] = []
    open_: list[_Conditional] = []
    included, kept = True, 0
    for found in _CONDITIONAL.finditer(text):
        word, rest = found[1], found[2].strip()
        start, end = found.span()
        if word in ("else", "endif") and rest:
            continue  # as for Boogie, this is no directive of that kind
        pieces += (text[kept:start] if included else _blank(text[kept:start]), " " * (end - start))
        kept = end
        if word == "if":
            holds = _holds(rest, defined)
            open_.append(_Conditional(start, included, holds))
            included = included and holds
            continue
        if not open_ or (word != "endif" and open_[-1].has_else):
            raise InputError(source.diagnostic(start, f"'#{word}' without an '#if' that it belongs to"))
        innermost = open_[-1]
        match word:
            case "endif":
                included = innermost.is_outer_included
                open_.pop()
            case "else":
                innermost.has_else = True
                included = innermost.is_outer_included and not innermost.had_branch
            case _:
                holds = not innermost.had_branch and _holds(rest, defined)
                included = innermost.is_outer_included and holds
                innermost.had_branch |= holds
    if open_:
        raise InputError(source.diagnostic(open_[-1].pos, "this '#if' is not closed: '#endif' is missing"))
    pieces.append(text[kept:])
    return "".join(pieces)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _holds(condition: str, defined: Collection[str]) -> bool:
    holds = True
    while condition.startswith("!"):
        holds, condition = not holds, condition[1:].lstrip()
    return (condition in defined) is holds
