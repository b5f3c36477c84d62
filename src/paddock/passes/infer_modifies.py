"""Missing `modifies` clauses are inferred: what the bodies assign to, and what their callees may modify.

    procedure main() { call P(); }           procedure main(); modifies g, h;
    procedure P();                           procedure P();    modifies g, h;
      modifies h;                    →
    implementation P() { g := 1; }
    implementation P() { call Q(); }

What a clause says is kept, with or without need. A procedure without a body has nothing but its clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Var
from paddock.ir.modref import assigned
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Procedure, Program


def infer_modifies(program: Program) -> Program:
    """The program with complete `modifies` clauses; the same object if nothing is missing."""
    missing = _missing(program)
    if not missing:
        return program
    procedures = tuple(
        replace(p, modifies=(*p.modifies, *missing[p.name])) if p.name in missing else p for p in program.procedures
    )
    return replace(program, procedures=procedures)


def notes_of_inferred(program: Program) -> list[Diagnostic]:
    """What `infer_modifies` adds to each procedure, in words."""
    missing = _missing(program)
    return [
        Diagnostic(f"'{p.name}' is taken to have 'modifies {_names(missing[p.name])};'", p.origin, is_note=True)
        for p in program.procedures
        if p.name in missing
    ]


def require_modifies(program: Program) -> None:
    """Raises `InputError` with all procedures that change more than their `modifies` clauses say."""
    missing = _missing(program)
    wrong = [
        Diagnostic(
            f"the procedure '{p.name}' may change {_names(missing[p.name])}",
            p.origin,
            hint=f"add 'modifies {_names(missing[p.name])};' to its declaration",
        )
        for p in program.procedures
        if p.name in missing
    ]
    if wrong:
        raise InputError(wrong)


def _names(variables: tuple[Var, ...]) -> str:
    return ", ".join(v.name for v in variables)


def _missing(program: Program) -> dict[str, tuple[Var, ...]]:
    """What clauses lack, by procedure, in the order of the globals' declarations; sets are bits of an integer."""
    bit = {declaration.var: 1 << n for n, declaration in enumerate(program.globals)}
    declared = {p.name: _bits(p.modifies, bit) for p in program.procedures}
    may_change: dict[str, int] = {}
    graph = CallGraph(program)
    for group in graph.components:
        # Callees of the same group are not there yet; what they change joins the group's anyway.
        bits = 0
        for name in group:
            bits |= declared[name] | _bits(_assigned(program.procedure_named[name]), bit)
            for callee in graph.callees[name]:
                bits |= may_change.get(callee, 0)
        may_change.update(dict.fromkeys(group, bits))
    return {
        name: tuple(var for var, b in bit.items() if bits & ~declared[name] & b)
        for name, bits in may_change.items()
        if bits & ~declared[name]
    }


def _bits(variables: Iterator[Var] | tuple[Var, ...], bit: dict[Var, int]) -> int:
    bits = 0
    for var in variables:
        bits |= bit.get(var, 0)
    return bits


def _assigned(procedure: Procedure) -> Iterator[Var]:
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            for statement in block.statements:
                yield from assigned(statement)


@frozen
class InferModifies:
    """The pass `infer-modifies`."""

    name: ClassVar[str] = "infer-modifies"
    summary: ClassVar[str] = "with complete modifies clauses (done on load, unless --check-modifies)"

    def __call__(self, program: Program) -> Program:
        return infer_modifies(program)
