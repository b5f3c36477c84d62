"""What procedures and loops are found to ensure, as plain data."""

from __future__ import annotations

from paddock.frozen import frozen


@frozen
class Summary:
    """What is known of a procedure, or of a loop as one, when it returns (`ensures`) and when it is called
    (`requires`): conditions, as Boogie writes them. `in_source` has those of `ensures` that can be said in the terms of
    another language, which the program is written in."""

    procedure: str
    file: str
    line: int
    is_loop: bool
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    in_source: tuple[str, ...] = ()


@frozen
class Summaries:
    """All summaries of a program, and its procedures without bodies as Boogie text. `incompleteness` says why there may
    be more."""

    summaries: tuple[Summary, ...]
    text: str
    incompleteness: str = ""
