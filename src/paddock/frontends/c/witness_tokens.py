"""The tokens of a C file as far as a witness needs them: where words, brackets and semicolons are, and which brackets
belong together. Comments, strings and lines for the preprocessor are not looked into."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paddock.frozen import frozen

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\r\f\v]+|\\\n|//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
  | (?P<newline>\n)
  | (?P<string>[LuU]?8?"(?:[^"\\\n]|\\.|\\\n)*"|[LuU]?'(?:[^'\\\n]|\\.)*')
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<sign>->|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"#(?:[^\n\\]|\\.|\\\n)*", re.DOTALL)
_OPENING, _CLOSING = "([{", ")]}"


@frozen
class Token:
    """A token: its text, where it starts in the file, and its line and column."""

    text: str
    start: int
    line: int
    column: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Tokens:
    """The tokens of a text, by position and by place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all = list(_tokens(text))
        self.partner = _partners(self.all)
        self.at_place = {(token.line, token.column): number for number, token in enumerate(self.all)}

    def word(self, number: int) -> str:
        """The text of a token; nothing outside of the file."""
        return self.all[number].text if 0 <= number < len(self.all) else ""

    def on_line(self, line: int) -> Iterator[int]:
        """The tokens of a line."""
        return (number for number, token in enumerate(self.all) if token.line == line)

    def is_branch(self, number: int) -> bool:
        """Whether a statement with a condition starts at a token."""
        if self.word(number) == "do":
            return self.word(number + 1) == "{" and self.word(after_body(self, number)) == "while"
        return self.word(number) in ("if", "while", "for") and self.word(number + 1) == "("

    def semicolons(self, opening: int) -> list[int]:
        """The semicolons between a bracket and its partner, not deeper."""
        found, at, last = [], opening + 1, self.partner[opening]
        while at < last:
            if self.word(at) == ";":
                found.append(at)
            at = self.partner[at] + 1 if self.word(at) in tuple(_OPENING) and at in self.partner else at + 1
        return found


def after_body(tokens: Tokens, do: int) -> int:
    """The token after the body of a loop that starts with `do`."""
    return tokens.partner.get(do + 1, do) + 1


def loop_at(tokens: Tokens, line: int, column: int) -> int | None:
    """The loop that a place means: the one there or, without a column, the first of the line, else the innermost around
    it, else the next one."""
    loops = [n for n in range(len(tokens.all)) if tokens.word(n) != "if" and tokens.is_branch(n)]
    if column:
        return next((n for n in loops if tokens.at_place.get((line, column)) == n), None)
    there = [n for n in loops if tokens.all[n].line == line]
    around = [n for n in loops if tokens.all[n].line <= line <= tokens.all[_last(tokens, n)].line]
    after = [n for n in loops if tokens.all[n].line > line]
    return next(iter([*there[:1], *around[-1:], *after[:1]]), None)


def _last(tokens: Tokens, loop: int) -> int:
    """The brace at the end of a loop or, without braces, the end of its condition."""
    last = tokens.partner.get(loop + 1, loop)  # of `do {` or of the condition
    if tokens.word(loop) != "do" and tokens.word(last + 1) == "{":
        last = tokens.partner.get(last + 1, last)
    return last


def _tokens(text: str) -> Iterator[Token]:
    at, line, line_start, fresh = 0, 1, 0, True
    while at < len(text):
        if fresh and text[at] == "#":
            found = _DIRECTIVE.match(text, at)
            assert found is not None
            kind: str | None = "blank"
        else:
            found = _TOKEN.match(text, at)
            if found is None:  # a comment that does not end
                return
            kind = found.lastgroup
        if kind not in ("blank", "newline"):
            yield Token(found[0], at, line, at - line_start + 1)
            fresh = False
        breaks = found[0].count("\n")
        if breaks:
            line += breaks
            line_start = at + found[0].rindex("\n") + 1
            fresh = fresh or kind == "newline"
        at = found.end()


def _partners(tokens: list[Token]) -> dict[int, int]:
    """Which brackets belong together, in both directions."""
    found: dict[int, int] = {}
    open_: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in tuple(_OPENING):
            open_.append(number)
        elif token.text in tuple(_CLOSING) and open_:
            partner = open_.pop()
            found[partner], found[number] = number, partner
    return found
