"""What procedures and loops are found to ensure, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of a procedure, or of a loop as one, when it returns (`ensures`) and when it is called
    (`requires`): conditions, as Boogie writes them."""

    procedure: str
    file: str
    line: int
    is_loop: bool
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summaries:
    """All summaries of a program, and its procedures without bodies as Boogie text. `incompleteness` says why there may
    be more."""

    summaries: tuple[Summary, ...]
    text: str
    incompleteness: str = ""
