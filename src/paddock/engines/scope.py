"""What a search looked at: the instances of procedures, the calls between them, and the blocks that were visited."""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frozen import frozen
from paddock.ir.program import Program


@frozen
class Instance:
    """A procedure that was entered; `callees` are the positions of the instances that it calls, `open_calls` the
    procedures whose calls were left to what is known of them."""

    procedure: str
    callees: tuple[int, ...] = ()
    open_calls: tuple[str, ...] = ()


@frozen
class Scope:
    """The part of a program that a search looked at. `visited` has the labels of blocks, by procedures."""

    program: Program
    instances: tuple[Instance, ...]
    visited: Mapping[str, frozenset[str]]


def whole_bodies(program: Program, instances: tuple[Instance, ...]) -> Scope:
    """The scope of a search that takes procedures as a whole."""
    entered = (program.procedure_named[name] for name in dict.fromkeys(i.procedure for i in instances))
    labels = {p.name: frozenset(b.label for b in p.body.blocks) for p in entered if p.body is not None}
    return Scope(program, instances, labels)
