"""The place in the tokens that the parser has reached, and how it complains there."""

from __future__ import annotations

from paddock.frontends.boogie.lexer import END, KEYWORDS, NAMES, STRING, tokenize
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.boogie.syntax import Name
from paddock.frontends.source import Source

_LONGEST_QUOTE = 40

_DECLARING = frozenset({"procedure", "implementation", "function", "const", "type"})
_AFTER_DECLARING = NAMES | {"{:", "unique"}


class Failure(Exception):
    """The parser cannot go on here; a statement or declaration further out catches it and skips ahead."""

    def __init__(self, pos: int, message: str, hint: str = "") -> None:
        self.pos = pos
        self.message = message
        self.hint = hint


class Cursor:
    """The tokens of one source and the index `at` of the next one to be read."""

    __slots__ = ("at", "is_lost", "kinds", "positions", "problems", "source", "texts")

    def __init__(self, source: Source, problems: Problems) -> None:
        tokens = tokenize(source)
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.positions = tokens.positions
        self.at = 0
        self.source = source
        self.problems = problems
        self.problems.source = source
        self.is_lost = False  # whether something was not understood: what looks wrong then may be a consequence

    @property
    def kind(self) -> str:
        return self.kinds[self.at]

    @property
    def pos(self) -> int:
        return self.positions[self.at]

    def advance(self) -> int:
        """Steps over a token and returns its position."""
        at = self.at
        self.at = at + 1
        return self.positions[at]

    def accept(self, kind: str) -> bool:
        """Steps over the next token if it is of this kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str, where: str) -> None:
        """Steps over a token that must come; `where` completes the message: "after the assignment"."""
        if self.kinds[self.at] != kind:
            raise self.expected(f"'{kind}' {where}")
        self.at += 1

    def name(self, what: str) -> str:
        """Reads a name; `what` says of which thing: "a label"."""
        at = self.at
        kind = self.kinds[at]
        if kind not in NAMES:
            hint = f"'{kind}' is a keyword; as a name it is written \\{kind}" if kind in KEYWORDS else ""
            raise self.expected(what, hint)
        self.at = at + 1
        return self.texts[at]

    def names(self, what: str) -> list[Name]:
        """Reads names with commas between them, at least one."""
        result = [Name(self.pos, self.name(what))]
        while self.accept(","):
            result.append(Name(self.pos, self.name(what)))
        return result

    def expected(self, what: str, hint: str = "") -> Failure:
        """The failure that something else should stand here."""
        return Failure(self.pos, f"expected {what}, found {self.found()}", hint)

    def found(self) -> str:
        """The next token as messages show it."""
        kind, text = self.kind, self.texts[self.at]
        if kind == END:
            return "the end of the file"
        if len(text) > _LONGEST_QUOTE:
            text = text[:_LONGEST_QUOTE] + "…"
        return f"the string {text}" if kind == STRING else f"'{text}'"

    def remark(self, pos: int, message: str, hint: str = "") -> None:
        """Notes an error that does not even keep what is read from being checked."""
        self.problems.add(pos, message, hint)

    def report(self, pos: int, message: str, hint: str = "") -> None:
        """Notes an error that does not keep the parser from going on."""
        self.is_lost = True
        self.problems.add(pos, message, hint)

    def report_failure(self, failure: Failure) -> None:
        self.report(failure.pos, failure.message, failure.hint)

    def begins_declaration(self, at: int) -> bool:
        """Whether a keyword at this index begins a declaration and is not just a stray word."""
        kind = self.kinds[at]
        return kind == "axiom" or (kind in _DECLARING and self.kinds[at + 1] in _AFTER_DECLARING)

    def line(self, pos: int) -> int:
        return self.source.origin(pos).line
