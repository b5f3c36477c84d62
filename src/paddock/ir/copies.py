"""What a piece of a program is a copy of, said by its origin: the way back through passes that copy code elsewhere.

A procedure is a copy of another, a block or a variable a copy of one in another procedure. Names have no spaces.
"""

from __future__ import annotations

from paddock.ir.origin import Origin

_COPY = "copy of "


def as_copy(origin: Origin, procedure: str, name: str = "") -> Origin:
    """The origin of a copy of `procedure`, or of its block or variable `name`."""
    return origin.by(f"{_COPY}{procedure} {name}".rstrip())


def copied_from(origin: Origin) -> tuple[str, str] | None:
    """The procedure, and the name in it (empty for the whole of it), that a piece with this origin is a copy of."""
    if not origin.made_by.startswith(_COPY):
        return None
    procedure, _, name = origin.made_by.removeprefix(_COPY).partition(" ")
    return procedure, name
