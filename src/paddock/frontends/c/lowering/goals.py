"""Marks of what is to be reached, for coverage: functions, branches and lines of the user's own code.

    if (x > 0) f();      assume {:goal "branch", "x > 0"} true;

The pass `coverage-goals` makes assertions of them. Nothing is marked unless somebody asks for it, nor in headers of the
system and in models of its functions.
"""

from __future__ import annotations

from paddock.frontends.c.flags import header_folders
from paddock.frontends.c.lowering.blocks import Blocks
from paddock.frontends.c.lowering.context import ProgramContext
from paddock.frontends.c.symbols import is_model
from paddock.frozen import frozen
from paddock.ir.build import TRUE
from paddock.ir.expr import Attribute
from paddock.ir.lexical import quotable
from paddock.ir.origin import Origin
from paddock.ir.stmt import Assume

MARK, BRANCH, LINE = "goal", "branch", "line"


@frozen
class Goals:
    """Marks what a criterion asks for; nothing if there is none."""

    blocks: Blocks
    criterion: str = ""

    def function(self, name: str, origin: Origin) -> None:
        """A function begins."""
        self._mark(BRANCH, f"{name} is entered", origin)

    def branch(self, text: str, origin: Origin) -> None:
        """A branch is taken, under a condition with this text."""
        self._mark(BRANCH, text, origin)

    def line(self, origin: Origin) -> None:
        """A statement begins."""
        self._mark(LINE, f"line {origin.line}", origin)

    def _mark(self, kind: str, text: str, origin: Origin) -> None:
        if kind == self.criterion:
            self.blocks.emit(Assume(TRUE, (Attribute(MARK, (kind, quotable(text))),), origin.noted(0)))


def goals_in(blocks: Blocks, context: ProgramContext, function: str) -> Goals:
    """What marks goals in a function."""
    criterion, origin = context.settings.covers, context.functions[function].origin
    folders = tuple(f"{folder}/" for folder in header_folders(context.layout.model)) if criterion else ()
    is_own = not is_model(origin) and not origin.file.startswith(folders)
    return Goals(blocks, criterion if is_own else "")
