"""What procedures and loops are found to ensure, as plain data."""

from __future__ import annotations

from paddock.frozen import frozen


@frozen
class Summary:
    """What is known of a procedure, or of a loop as one, when it returns (`ensures`) and when it is called
    (`requires`): conditions, as Boogie writes them."""

    procedure: str
    file: str
    line: int
    is_loop: bool
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()


@frozen
class Summaries:
    """All summaries of a program, and its procedures without bodies as Boogie text. `incompleteness` says why there may
    be more."""

    summaries: tuple[Summary, ...]
    text: str
    incompleteness: str = ""
