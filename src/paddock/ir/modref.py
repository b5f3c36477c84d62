"""Which globals a procedure may modify and read, itself or through the procedures it calls.

The sets are inferred from the bodies; `modifies` clauses are believed only where there is no body. One pass
over the components of the call graph, callees first, with sets as bits of an integer: linear in the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paddock.frozen import frozen
from paddock.ir.callgraph import CallGraph, calls
from paddock.ir.expr import App, Binder, Expr, Let, Scope, Var
from paddock.ir.program import Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assign, Assume, Call, Havoc, ParCall, Statement


@frozen
class ModRef:
    """The globals a procedure may change and those whose value may matter to it, in order of declaration."""

    modifies: tuple[Var, ...]
    reads: tuple[Var, ...]


def mod_ref(program: Program) -> dict[str, ModRef]:
    """The inferred sets of every procedure.

    What a contract or a `where` clause mentions is read; what only attributes mention is not.
    """
    graph = CallGraph(program)
    bit = {declaration.var: 1 << n for n, declaration in enumerate(program.globals)}
    where = {declaration.var: declaration.where for declaration in program.globals}
    modified: dict[str, int] = {}
    read: dict[str, int] = {}
    for group in graph.components:
        group_modified = group_read = 0
        for name in group:
            procedure = program.procedure_named[name]
            for var in _modified(procedure):
                group_modified |= bit.get(var, 0)
            for var in _read(procedure, where):
                group_read |= bit.get(var, 0)
            for callee in graph.callees[name]:
                # Callees of the same group are not there yet; their own sets join the group's anyway.
                group_modified |= modified.get(callee, 0)
                group_read |= read.get(callee, 0)
        for name in group:
            modified[name] = group_modified
            read[name] = group_read
    tuples: dict[int, tuple[Var, ...]] = {}
    for bits in (*modified.values(), *read.values()):
        if bits not in tuples:
            tuples[bits] = tuple(var for var, b in bit.items() if bits & b)
    return {p.name: ModRef(tuples[modified[p.name]], tuples[read[p.name]]) for p in program.procedures}


def assigned(statement: Statement) -> tuple[Var, ...]:
    """The variables, local or global, that a statement itself gives new values; not what its callees do."""
    match statement:
        case Assign() | Havoc():
            return statement.targets
        case Call():
            return statement.results
        case ParCall():
            return tuple(var for call in statement.calls for var in call.results)
        case _:
            return ()


def _statements(procedure: Procedure) -> Iterator[Statement]:
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            yield from block.statements


def _modified(procedure: Procedure) -> Iterator[Var]:
    if not procedure.implementations:
        yield from procedure.modifies
    for statement in _statements(procedure):
        yield from assigned(statement)


def _read(procedure: Procedure, where: dict[Var, Expr | None]) -> Iterator[Var]:
    roots: list[Expr | None] = [c.condition for c in (*procedure.requires, *procedure.ensures)]
    roots += [d.where for d in _declarations(procedure)]
    if not procedure.implementations:
        roots += [where.get(var) for var in procedure.modifies]
    for statement in _statements(procedure):
        match statement:
            case Assume() | Assert():
                roots.append(statement.condition)
            case Assign():
                roots += statement.values
            case Havoc():
                roots += [where.get(var) for var in statement.targets]
            case _:
                pass
    for call in calls(procedure):
        roots += call.args
    return _globals_in(root for root in roots if root is not None)


def _declarations(procedure: Procedure) -> Iterator[VarDecl]:
    yield from procedure.params
    yield from procedure.results
    for implementation in procedure.implementations:
        yield from implementation.locals


def _globals_in(roots: Iterable[Expr]) -> Iterator[Var]:
    """The globals that occur outside attributes, each once."""
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        match node:
            case App():
                stack += node.args
            case Var():
                if node.scope is Scope.GLOBAL:
                    yield node
            case Binder():
                stack += [term for trigger in node.triggers for term in trigger.terms]
                stack.append(node.body)
            case Let():
                stack += [*node.values, node.body]
            case _:
                pass
