"""Structured code becomes blocks when a program is read, so here is nothing left to do: the pass exists to
show the program as it was read.

    while (x > 0) { x := x - 1; }     head: goto body, end;
                                      body: assume x > 0; x := x - 1; goto head;
                                      end:  assume !(x > 0); …
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen
from paddock.ir.program import Program


def lower(program: Program) -> Program:
    return program


@frozen
class Lower:
    """The pass `lower`."""

    name: ClassVar[str] = "lower"
    summary: ClassVar[str] = "structured code as blocks (done on load: shows the program as it was read)"

    def __call__(self, program: Program) -> Program:
        return lower(program)
