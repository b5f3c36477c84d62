"""A procedure with several implementations gets one that chooses among them.

    implementation P() { var t: int; start: t := 1; return; }
    implementation P() { var t: bool; start: havoc t; return; }

becomes

    implementation P()
    {
      var t: int; var t#1: bool;
      choose: goto start, start#1;
      start: t := 1; return;
      start#1: havoc t#1; return;
    }
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.expr import Expr, Var
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.rewriting import map_expressions, relabelled, substituting, variables_in
from paddock.ir.stmt import Block, Goto


def merge_implementations(program: Program) -> Program:
    """The program in which every procedure has at most one implementation."""
    if all(len(p.implementations) < 2 for p in program.procedures):
        return program
    return replace(program, procedures=tuple(map(_merged, program.procedures)))


def _merged(procedure: Procedure) -> Procedure:
    if len(procedure.implementations) < 2:
        return procedure
    # Other names than locals are taken from the start: a local of one implementation must not come to
    # shadow a global, nor be captured by a quantifier, of another.
    locals_ = {d.var for i in procedure.implementations for d in i.locals}
    names = FreshNames(v.name for v in variables_in(procedure) if v not in locals_)
    labels = FreshNames(())
    choose = labels(_free_label(procedure))
    parts = [_renamed(i, names, labels) for i in procedure.implementations]
    origin = procedure.origin.by(Made("merge-implementations"))
    choice = Block(choose, (), Goto(tuple(p.blocks[0].label for p in parts), origin=origin), origin)
    merged = Implementation(
        locals=tuple(d for p in parts for d in p.locals),
        blocks=(choice, *(b for p in parts for b in p.blocks)),
        attributes=tuple(dict.fromkeys(a for p in parts for a in p.attributes)),
        origin=parts[0].origin,
    )
    return replace(procedure, implementations=(merged,))


def _free_label(procedure: Procedure) -> str:
    return FreshNames(b.label for i in procedure.implementations for b in i.blocks)("choose")


def _renamed(implementation: Implementation, names: FreshNames, labels: FreshNames) -> Implementation:
    """The implementation with labels and locals that no other one uses."""
    label = {b.label: labels(b.label) for b in implementation.blocks}
    local: dict[Var, Expr] = {d.var: replace(d.var, name=names(d.name)) for d in implementation.locals}
    renamed = map_expressions(implementation, substituting(local))
    return replace(renamed, blocks=tuple(relabelled(b, label) for b in renamed.blocks))


@frozen
class MergeImplementations:
    """The pass `merge-implementations`."""

    name: ClassVar[str] = "merge-implementations"
    summary: ClassVar[str] = "one implementation a procedure, that chooses among several"

    def __call__(self, program: Program) -> Program:
        return merge_implementations(program)
