"""The procedure in which a program starts is marked `{:entrypoint}`, and no other."""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program


@frozen
class MarkEntry:
    """The pass `mark-entry`. Without a name it is the marked procedure, else `main`."""

    entry: str = ""
    name: ClassVar[str] = "mark-entry"
    summary: ClassVar[str] = "with its entry marked"

    def __call__(self, program: Program) -> Program:
        return with_entry(program, self.entry or entry_name(program))
