"""Collecting what is wrong with a program, so that one run reports several errors."""

from __future__ import annotations

from collections.abc import Iterable

from paddock.frontends.source import Source
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean

ERRONEOUS = "<error>"  # the name of the type of whatever is wrong
MOST_DIAGNOSTICS = 20
_LONGEST_COMPARED = 100  # characters of a name; comparing takes quadratic time


class Problems:
    """The errors found so far. `source` is the file that positions refer to at the moment."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.warnings: dict[tuple[Source, int], Diagnostic] = {}
        self._places: set[tuple[Source, int]] = set()
        self.source = Source("")

    def add(self, pos: int, message: str, hint: str = "") -> None:
        """Note an error at an offset.

        A second one at the same place, or one about what is already known to be wrong, is only a consequence.
        """
        place = (self.source, pos)
        if place not in self._places and ERRONEOUS not in message:
            self._places.add(place)
            self.found.append(self.source.diagnostic(pos, message, hint))

    def warn(self, pos: int, message: str) -> None:
        """Note what the user should know about a place; the first such counts."""
        self.warnings.setdefault((self.source, pos), self.source.diagnostic(pos, message))

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """A hint naming the closest known spelling, or nothing. It takes time, so only the first errors get one."""
        if len(self.found) >= MOST_DIAGNOSTICS or len(name) > _LONGEST_COMPARED:
            return ""
        return did_you_mean(name, [k for k in known if len(k) <= _LONGEST_COMPARED], "'", near=0.65)

    def raise_if_any(self) -> None:
        if self.found:
            raise InputError(first_in_order(self.found))


def first_in_order(found: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics by place, cut to a number a person reads."""
    ordered = sorted(found, key=lambda d: (d.origin.file, d.origin.line, d.origin.column))
    if len(ordered) <= MOST_DIAGNOSTICS:
        return ordered
    return [*ordered[:MOST_DIAGNOSTICS], Diagnostic(f"{len(ordered) - MOST_DIAGNOSTICS} more errors are not shown")]
