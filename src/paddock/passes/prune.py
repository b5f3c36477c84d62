"""Leaves out what no execution can reach: procedures that the entry does not call, directly or indirectly,
blocks that no path leads to, and globals that nothing mentions.

    var g: int;  var unused: int;              var g: int;
    procedure main(); modifies g, unused;      procedure main(); modifies g;
    implementation main()                      implementation main()
    {                                          {
      start: g := 1; return;                     start: g := 1; return;
      dead: call P(); return;                  }
    }
    procedure P();
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.rewriting import Piece, variables_in


def prune(program: Program) -> Program:
    """The program without what its entry cannot reach."""
    entry = entry_name(program)
    live = replace(program, procedures=tuple(map(_with_live_blocks, program.procedures)))
    called = set(CallGraph(live).reachable((entry,)))
    live = replace(live, procedures=tuple(p for p in live.procedures if p.name in called))
    mentioned = variables_in(*_mentioning(live))
    globals_ = tuple(g for g in live.globals if g.var in mentioned)
    if len(globals_) == len(live.globals):
        return live
    procedures = tuple(_modifying_only(p, {g.name for g in globals_}) for p in live.procedures)
    return replace(live, globals=globals_, procedures=procedures)


def _with_live_blocks(procedure: Procedure) -> Procedure:
    implementations = tuple(map(live_blocks, procedure.implementations))
    if all(new is i for new, i in zip(implementations, procedure.implementations, strict=True)):
        return procedure
    return replace(procedure, implementations=implementations)


def live_blocks(implementation: Implementation) -> Implementation:
    """The implementation without unreachable blocks; the same object if there are none."""
    live = Cfg(implementation).position
    if len(live) == len(implementation.blocks):
        return implementation
    return replace(implementation, blocks=tuple(b for b in implementation.blocks if b.label in live))


def _mentioning(program: Program) -> Iterator[Piece]:
    """All that can mention a global, `modifies` clauses left out.

    A global with a `where` clause counts as mentioned: the clause may say something about others.
    """
    for declaration in program.globals:
        if declaration.where is not None:
            yield declaration
    for procedure in program.procedures:
        yield replace(procedure, modifies=())
    for group in (
        program.types,
        program.datatypes,
        program.constants,
        program.functions,
        program.axioms,
        program.globals,
    ):
        for piece in group:
            yield from piece.attributes


def _modifying_only(procedure: Procedure, names: set[str]) -> Procedure:
    modifies = tuple(g for g in procedure.modifies if g.name in names)
    return procedure if modifies == procedure.modifies else replace(procedure, modifies=modifies)


@frozen
class Prune:
    """The pass `prune`."""

    name: ClassVar[str] = "prune"
    summary: ClassVar[str] = "without unreachable procedures and blocks and unmentioned globals"

    def __call__(self, program: Program) -> Program:
        return prune(program)
