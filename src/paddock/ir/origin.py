"""Provenance: where a piece of a program came from, which assertion it is, and the one error a user can cause.

Every statement keeps the origin of the source it was made from; passes copy it and say what they made of it. It is the
way home from a solver's model to a source line, and data: names of passes are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from paddock.frozen import field, frozen, replace


@frozen
class AssertionId:
    """Which assertion of a program: copies of it that passes make have the same one.

    That is its place, its number (from 1) among what stands there, since a macro may expand to several and a program
    that was not read from a text has no places, and its role: empty for what is written as an assertion, else
    `"loop invariant"`, `"requires"`, `"ensures"` or what a front end checks. A precondition is asserted at calls: `of`
    is the clause then, and the place that of the call.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    role: str = ""
    nth: int = 0
    of: AssertionId | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file or "<no source>"


class Role(Enum):
    """What a piece that the source does not have is for."""

    CHECK = "check"  # says what the source implies: a contract, an invariant, a check of the language
    FACT = "fact"  # an assumption that holds anyway
    CANDIDATE = "candidate"  # a contract or an invariant that may hold
    SWITCH = "switch"  # turns an assertion on and off
    LOOP = "loop"  # a loop as a procedure, and the call that runs its complete iterations
    ERROR_BIT = "error bit"  # the variable that says whether an assertion has failed
    ERROR_TEST = "error test"  # a jump inside a block of the source, on whether the error bit is set
    SPLIT = "split"  # any other jump inside a block of the source
    NEW_BLOCK = "new block"  # a block that no block of the source became
    SCHEDULE = "schedule"  # says in which round a thread goes on
    THREAD = "thread"  # starts a thread, or runs it
    HAND_OVER = "hand over"  # leaves a thread to another to run
    BOOKKEEPING = "bookkeeping"  # of threads: their numbers, which have ended
    HELPER = "helper"  # anything else that a pass needs


@frozen
class Source:
    """The user wrote it as it stands."""

    def __str__(self) -> str:
        return ""


@frozen
class Copy:
    """A copy of a procedure of the source, or of the block or variable `name` of it."""

    of: str
    name: str = ""

    def __str__(self) -> str:
        return f"copy of {self.of} {self.name}".rstrip()


@frozen
class Made:
    """A front end or a pass made it of what stands in the source; `what` are words for people: `"requires of P"`."""

    by: str
    role: Role = Role.HELPER
    what: str = ""

    def __str__(self) -> str:
        return self.what or self.by


Provenance = Source | Copy | Made

IN_SOURCE = Source()


@frozen
class Origin:
    """A place in a source file (line and column from 1) and the provenance of the piece that carries it: whether it is
    what stands there, a copy of it, or something that was made of it.

    `note` is a number
    under which the front end that made the program keeps how to show the piece, and 0 if it has nothing to say.
    `nth` numbers the assertions, calls and clauses at one place (see the pass `identify-assertions`); what has none
    has the number 0. `assertion` is which assertion a statement is, or was made from; that of a call says where exactly
    in a statement it is.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    provenance: Provenance = IN_SOURCE
    note: int = field(default=0, compare=False)
    nth: int = field(default=0, compare=False)
    assertion: AssertionId | None = field(default=None, compare=False)

    def by(self, provenance: Provenance) -> Origin:
        """The origin of something else that comes from this place; no assertion."""
        return Origin(self.file, self.line, self.column, provenance, self.note, self.nth)

    @property
    def role(self) -> Role | None:
        """What it was made for; None for what the source has, and for copies."""
        return self.provenance.role if isinstance(self.provenance, Made) else None

    @property
    def copied(self) -> Copy | None:
        """What it is a copy of, if it is one."""
        return self.provenance if isinstance(self.provenance, Copy) else None

    def noted(self, note: int) -> Origin:
        """This origin with a note on what to show."""
        return replace(self, note=note)

    def asserting(self, assertion: AssertionId) -> Origin:
        """This origin with the identity of an assertion."""
        return replace(self, assertion=assertion)

    def identity(self, role: str | None = None, of: AssertionId | None = None) -> AssertionId:
        """Which assertion a statement of this origin is; with a role, which one is made of the piece in that role."""
        own = self.assertion or AssertionId(self.file, self.line, self.column, str(self.provenance), self.nth)
        return own if role is None else replace(own, role=role, of=of)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file or "<no source>"


NOWHERE = Origin()


@frozen
class Diagnostic:
    """One thing that is wrong with the input, where it is, and perhaps what to do about it; a note is of one that is
    not wrong."""

    message: str
    origin: Origin = NOWHERE
    source_line: str = ""
    hint: str = ""
    is_note: bool = False

    def __str__(self) -> str:
        """The message as it is shown: place, message, source line and caret, hint."""
        head = f"{self.origin}: error: {self.message}" if self.origin != NOWHERE else f"error: {self.message}"
        lines = [head]
        if self.source_line and self.origin.column:
            before = self.source_line[: self.origin.column - 1]
            # Tabs are kept so that the caret lands under the right character.
            lines += [f"  {self.source_line}", "  " + "".join("\t" if c == "\t" else " " for c in before) + "^"]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class InputError(Exception):
    """The input is wrong; carries every diagnostic that was found, in source order."""

    def __init__(self, diagnostics: Sequence[Diagnostic] | Diagnostic | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = Diagnostic(diagnostics)
        if isinstance(diagnostics, Diagnostic):
            diagnostics = [diagnostics]
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))
