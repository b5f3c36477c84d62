"""Bounds of single loops: what `--unwindset LOOP:N` names, found in the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.engines.inlining.bounds import Place, place_of
from paddock.frozen import frozen
from paddock.ir.cfg import Cfg
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program

_MOST_LISTED = 10


def own_bounds(program: Program, unwindset: Sequence[str]) -> dict[Place, int]:
    """How often the heads of loops may be visited, by place: once more than iterations may be completed. A loop is
    named by `LINE`, `FILE:LINE`, `FUNCTION.K`, `LABEL` or `FUNCTION.LABEL`. Raises `InputError` where there is no such
    loop."""
    if not unwindset:
        return {}
    loops = list(_loops(program))
    found: dict[Place, int] = {}
    for entry in unwindset:
        name, _, number = entry.rpartition(":")
        places = [loop.origin for loop in loops if loop.is_called(name)]
        if not places:
            listed = ", ".join(f"{loop.name} ({loop.origin})" for loop in loops[:_MOST_LISTED])
            hint = f"loops: {listed}" if listed else "the program has no loop"
            raise InputError(Diagnostic(f"there is no loop {name}", hint=hint))
        found.update((place_of(origin), int(number) + 1) for origin in places)
    return found


@frozen
class _NamedLoop:
    """A loop by its number in a function, and by the label of its head. In C, that begins with the label before it."""

    procedure: str
    number: int
    label: str
    origin: Origin

    @property
    def name(self) -> str:
        return f"{self.procedure}.{self.number}"

    def is_called(self, name: str) -> bool:
        """Whether a user may mean it."""
        label = name.removeprefix(f"{self.procedure}.")
        by_label = label == self.label or (not label.isdecimal() and self.label.startswith(f"{label}."))
        return name == self.name or by_label or _is_at(self.origin, name)


def _loops(program: Program) -> Iterable[_NamedLoop]:
    """All loops, in the order in which they start in a function."""
    for procedure in program.procedures:
        heads = {
            place_of(cfg.blocks[loop.head].origin): cfg.blocks[loop.head]
            for cfg in map(Cfg, procedure.implementations)
            for loop in cfg.loops
        }
        for number, place in enumerate(sorted(heads)):
            yield _NamedLoop(procedure.name, number, heads[place].label, heads[place].origin)


def _is_at(origin: Origin, name: str) -> bool:
    """Whether a place is meant: a line, or a file (or the end of its path) and a line."""
    file, _, line = name.rpartition(":")
    return line == str(origin.line) and (not file or origin.file == file or origin.file.endswith(f"/{file}"))
