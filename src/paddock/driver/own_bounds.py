"""Bounds of single loops: what `--unwindset LOOP:N` names, found in the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.engines.inlining.bounds import Place, place_of
from paddock.ir.cfg import Cfg
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program

_MOST_LISTED = 10


def own_bounds(program: Program, unwindset: Sequence[str]) -> dict[Place, int]:
    """How often the heads of loops may be visited, by place: once more than iterations may be completed. A loop is
    named by `LINE`, `FILE:LINE` or `FUNCTION.K`. Raises `InputError` where there is no such loop."""
    if not unwindset:
        return {}
    loops = dict(_loops(program))
    found: dict[Place, int] = {}
    for entry in unwindset:
        name, _, number = entry.rpartition(":")
        places = [origin for known, origin in loops.items() if name == known or _is_at(origin, name)]
        if not places:
            listed = ", ".join(f"{known} ({origin})" for known, origin in list(loops.items())[:_MOST_LISTED])
            hint = f"loops: {listed}" if listed else "the program has no loop"
            raise InputError(Diagnostic(f"there is no loop {name}", hint=hint))
        found.update((place_of(origin), int(number) + 1) for origin in places)
    return found


def _loops(program: Program) -> Iterable[tuple[str, Origin]]:
    """All loops with their names, in the order in which they start in a function."""
    for procedure in program.procedures:
        heads = {
            place_of(cfg.blocks[loop.head].origin): cfg.blocks[loop.head].origin
            for cfg in map(Cfg, procedure.implementations)
            for loop in cfg.loops
        }
        for number, place in enumerate(sorted(heads)):
            yield f"{procedure.name}.{number}", heads[place]


def _is_at(origin: Origin, name: str) -> bool:
    """Whether a place is meant: a line, or a file (or the end of its path) and a line."""
    file, _, line = name.rpartition(":")
    return line == str(origin.line) and (not file or origin.file == file or origin.file.endswith(f"/{file}"))
