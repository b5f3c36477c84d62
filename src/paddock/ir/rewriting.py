"""Reading and mapping all expressions of a piece of a program: one table says where they are.

Every pass that substitutes, renames or collects variables goes through `map_expressions` and
`expressions_in`, so a new field with an expression in it is added in one place. Attributes and the
targets of assignments count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from paddock.frozen import replace
from paddock.ir.build import FALSE
from paddock.ir.expr import App, Attribute, Expr, Op, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl
from paddock.ir.stmt import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Goto,
    Havoc,
    ParCall,
    Return,
    Statement,
    Transfer,
    Yield,
)
from paddock.ir.walk import Substitution, rewrite, substitute, subterms, variables

Mapper = Callable[[Expr], Expr]
Piece = Statement | Transfer | Block | VarDecl | Clause | Implementation | Procedure | Attribute
P = TypeVar("P", bound=Piece)

# The fields of each kind of piece that hold expressions or further pieces, alone or in a tuple.
_PARTS: dict[type, tuple[str, ...]] = {
    Attribute: ("params",),
    Assume: ("condition", "attributes"),
    Assert: ("condition", "attributes"),
    Assign: ("targets", "values", "attributes"),
    Havoc: ("targets",),
    Call: ("args", "results", "attributes"),
    ParCall: ("calls",),
    Yield: ("attributes",),
    Goto: ("attributes",),
    Return: ("attributes",),
    Block: ("statements", "transfer"),
    VarDecl: ("var", "where", "attributes"),
    Clause: ("condition", "attributes"),
    Implementation: ("locals", "blocks", "attributes"),
    Procedure: ("params", "results", "requires", "modifies", "ensures", "implementations", "attributes"),
}


def map_expressions(piece: P, f: Mapper) -> P:
    """The piece with `f` applied to each of its expressions; the same object if `f` changes none.

    Variables that are declared or assigned count as expressions: `f` must give a variable for those.
    """
    changes = {}
    for name in _PARTS[type(piece)]:
        value = getattr(piece, name)
        new = _mapped(value, f)
        if new is not value:
            changes[name] = new
    return replace(piece, **changes) if changes else piece


def _mapped(value: Any, f: Mapper) -> Any:
    if isinstance(value, Expr):
        return f(value)
    if isinstance(value, tuple):
        new = tuple([_mapped(v, f) for v in value])
        return value if all(a is b for a, b in zip(new, value, strict=True)) else new
    return map_expressions(value, f) if type(value) in _PARTS else value


def expressions_in(*pieces: Piece) -> Iterator[Expr]:
    """The expressions that `map_expressions` would map, in source order."""
    stack: list[Any] = list(reversed(pieces))
    while stack:
        value = stack.pop()
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, tuple):
            stack.extend(reversed(value))
        elif type(value) in _PARTS:
            parts = [getattr(value, name) for name in reversed(_PARTS[type(value)])]
            stack.extend([part for part in parts if part])  # most tuples of attributes are empty


def variables_in(*pieces: Piece) -> set[Var]:
    """Every variable and constant that occurs in the pieces, bound ones too. Sort before printing."""
    return {e for e in subterms(expressions_in(*pieces)) if isinstance(e, Var)}


def substituting(substitution: Substitution) -> Mapper:
    """A mapper that substitutes, each distinct expression once."""
    done: dict[Expr, Expr] = {}

    def mapper(expr: Expr) -> Expr:
        if expr not in done:
            done[expr] = substitute(expr, substitution)
        return done[expr]

    return mapper


def with_snapshots(expr: Expr, snapshot: Callable[[Var], Expr], done: dict[Expr, Expr]) -> Expr:
    """The expression with, in place of globals under `old`, what has kept their values. `done` is what is done already,
    by this function with this `snapshot`."""

    def replaced(node: Expr) -> Expr:
        match node:
            case App(op=Op.OLD, args=(inner,)):
                globals_ = sorted((v for v in variables(inner) if v.scope is Scope.GLOBAL), key=lambda v: v.name)
                return substitute(inner, {v: snapshot(v) for v in globals_})
            case _:
                return node

    return rewrite(expr, replaced, done)


def calls_in(statement: Statement) -> tuple[Call, ...]:
    match statement:
        case Call():
            return (statement,)
        case ParCall(calls=calls):
            return calls
        case _:
            return ()


def with_successors(block: Block, targets: tuple[str, ...]) -> Block:
    """The block with a `goto` that keeps what else its transfer says; with no target it ends in `assume false`."""
    transfer = block.transfer
    if not targets:
        blocked = Assume(FALSE, origin=transfer.origin)
        end = Return(transfer.attributes, transfer.origin)
        return replace(block, statements=(*block.statements, blocked), transfer=end)
    return replace(block, transfer=Goto(targets, transfer.attributes, transfer.origin))


def relabelled(block: Block, labels: Mapping[str, str]) -> Block:
    """The block with other labels, its own and those it jumps to; the ones not in `labels` stay."""
    new = replace(block, label=labels.get(block.label, block.label))
    if isinstance(block.transfer, Return):
        return new
    return with_successors(new, tuple(labels.get(t, t) for t in block.transfer.targets))


def with_prologue(implementation: Implementation, statements: tuple[Statement, ...]) -> Implementation:
    """The implementation with the statements run once, before anything else."""
    if not statements:
        return implementation
    first, *rest = implementation.blocks
    if any(first.label in b.successors for b in implementation.blocks):
        label = FreshNames(b.label for b in implementation.blocks)("start")
        start = Block(label, statements, Goto((first.label,), origin=first.origin), first.origin)
        return replace(implementation, blocks=(start, *implementation.blocks))
    return replace(implementation, blocks=(replace(first, statements=(*statements, *first.statements)), *rest))


def assuming(procedure: Procedure, f: Mapper = lambda condition: condition) -> Procedure:
    """The procedure that assumes `f` of whatever it asserts; the same object if that is nothing."""

    def block(b: Block) -> Block:
        if not any(isinstance(s, Assert) for s in b.statements):
            return b
        statements = (
            Assume(f(s.condition), s.attributes, s.origin) if isinstance(s, Assert) else s for s in b.statements
        )
        return replace(b, statements=tuple(statements))

    bodies = tuple(replace(i, blocks=tuple(map(block, i.blocks))) for i in procedure.implementations)
    return procedure if bodies == procedure.implementations else replace(procedure, implementations=bodies)


def declared_in(procedure: Procedure) -> Iterator[VarDecl]:
    """The parameters, the results, and the locals of every implementation."""
    yield from procedure.params
    yield from procedure.results
    for implementation in procedure.implementations:
        yield from implementation.locals


def without_capture(program: Program) -> Program:
    """The program with every local renamed that shadows a global or constant its procedure mentions.

    A pass that moves an expression into another procedure may bring a global under a local of the same name:
    the two differ in the IR, but not on paper.
    """
    outer = {d.name for group in (program.globals, program.constants) for d in group}
    procedures = tuple(_without_capture(p, outer) for p in program.procedures)
    return replace(program, procedures=procedures)


def _without_capture(procedure: Procedure, outer: set[str]) -> Procedure:
    shadowing = dict.fromkeys(d.var for d in declared_in(procedure) if d.name in outer)
    if not shadowing:
        return procedure
    occurring = variables_in(replace(procedure, modifies=()))
    captured = {v.name for v in occurring if v.scope in (Scope.GLOBAL, Scope.CONST)}
    fresh = FreshNames(outer | {v.name for v in occurring})
    renaming = {v: replace(v, name=fresh(v.name)) for v in shadowing if v.name in captured}
    return map_expressions(procedure, substituting(renaming)) if renaming else procedure
