"""What holds wherever a region starts, so that more gambles hit (Akhundov et al., Verification by Gambling on Program
Slices, §6): what happened before a loop to variables that it never writes, and `where` clauses.

    x := 1; assume n > x;        may as well come first when the loop is taken out,
    while (i < n) { … }          unless the loop, or what comes before it, gives x or n new values

Assignments stay assignments: a float need not be equal to what it was given, which may be no number, and a value that
can be put in place of its variable is easier to work with than an equation. What is known here holds in every execution
on which no assertion has failed yet, and only those count: a first failure is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from paddock.engines.regions.tree import Region
from paddock.ir.cfg import Cfg
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import ModRef, assigned
from paddock.ir.program import Implementation, Procedure, Program, VarDecl
from paddock.ir.rewriting import calls_in, declared_in, variables_in
from paddock.ir.stmt import Assert, Assign, Assume, Havoc, Statement
from paddock.ir.walk import variables

MOST_STATEMENTS = 200  # for one region: what is nearest to it


def kept(program: Program, region: Region, effects: Mapping[str, ModRef]) -> list[Statement]:
    """The assumptions and assignments that were made on every way to the head of a loop and that nothing has changed
    since, as far as they have to do with what is in the loop, in the order in which they were made."""
    body = program.procedure_named[region.procedure].body
    if region.head is None or body is None:
        return []
    found = list(made_before(Cfg(body), region.head, effects))
    # What is known of one variable may be about another of which something is known.
    relevant = linked(map(_variables, found), variables_in(*blocks_of(body, region)))
    nearest = [statement for statement in found if _variables(statement) & relevant][:MOST_STATEMENTS]
    return nearest[::-1]


def blocks_of(body: Implementation, region: Region) -> Iterator[Statement]:
    """The statements in a region."""
    inside = set(region.blocks)
    return (s for block in body.blocks if block.label in inside for s in block.statements)


def linked(groups: Iterable[Collection[Var]], start: Iterable[Var]) -> set[Var]:
    """The variables that are in a group with one of those to start with, or with another that is so."""
    of: dict[Var, list[Collection[Var]]] = {}
    for group in groups:
        for var in group:
            of.setdefault(var, []).append(group)
    found = set(start)
    waiting = list(found)
    while waiting:
        for group in of.pop(waiting.pop(), ()):
            waiting += [var for var in group if var not in found]
            found.update(group)
    return found


def made_before(
    cfg: Cfg, head: str, effects: Mapping[str, ModRef], comes_from: Callable[[str], bool] = lambda label: True
) -> Iterator[Statement]:
    """The assumptions and assignments that dominate a block and still hold there, the nearest first, at least when it
    is reached from those predecessors for which `comes_from` says so. Going up the dominators, `written` has the
    variables that may get new values on some way from there to the block, once more around a loop included. So nothing
    that is found mentions a variable before it is assigned: if the variables are arbitrary, they can be run again."""
    written: set[Var] = set()
    between: set[str] = set()  # the blocks on such ways
    waiting: list[str] = []
    dominator = cfg.immediate_dominators.get(head)

    def come(before: str) -> None:
        if before not in between and before != dominator and before in cfg.position:
            between.add(before)
            waiting.append(before)
            _add_written(cfg.blocks[before].statements, effects, written)

    for before in filter(comes_from, cfg.predecessors[head]):
        come(before)
    while dominator is not None:
        while waiting:
            for before in cfg.predecessors[waiting.pop()]:
                come(before)
        for statement in reversed(cfg.blocks[dominator].statements):
            yield from (s for s in _repeatable(statement) if not _variables(s) & written)
            _add_written((statement,), effects, written)
        between.add(dominator)
        waiting.append(dominator)
        dominator = cfg.immediate_dominators.get(dominator)


def _repeatable(statement: Statement) -> Iterator[Statement]:
    """What a statement does, as far as it could be done again right after it."""
    match statement:
        case Assume(condition) | Assert(condition):
            yield Assume(condition)
        case Assign(targets, values):
            changed = set(targets)
            for target, value in zip(targets, values, strict=True):
                if not changed & set(variables(value)):
                    yield Assign((target,), (value,))
        case _:
            pass


def _variables(statement: Statement) -> set[Var]:
    return {var for var in variables_in(statement) if var.scope in (Scope.LOCAL, Scope.GLOBAL)}


def written_in(body: Implementation, region: Region, effects: Mapping[str, ModRef]) -> set[Var]:
    """The variables that may get new values in a region."""
    written: set[Var] = set()
    _add_written(blocks_of(body, region), effects, written)
    return written


def _add_written(statements: Iterable[Statement], effects: Mapping[str, ModRef], written: set[Var]) -> None:
    for statement in statements:
        written.update(assigned(statement))
        for call in calls_in(statement):
            written.update(effects[call.procedure].modifies)


def steady_wheres(original: Program) -> dict[str | None, list[Expr]]:
    """The `where` clauses that hold at any time: they are about their own variable alone, which gets no new values but
    arbitrary ones. Those of globals are under None, those of a procedure's own variables under its name."""
    overwritten: dict[str | None, set[Var]] = {None: set()}
    for procedure in original.procedures:
        own = overwritten.setdefault(procedure.name, set())
        for statement in _statements(procedure):
            if not isinstance(statement, Havoc):
                for var in assigned(statement):
                    (overwritten[None] if var.scope is Scope.GLOBAL else own).add(var)
    found: dict[str | None, list[Expr]] = {None: _steady(original.globals, overwritten[None])}
    for procedure in original.procedures:
        found[procedure.name] = _steady(declared_in(procedure), overwritten[procedure.name])
    return found


def _steady(declarations: Iterable[VarDecl], overwritten: set[Var]) -> list[Expr]:
    return [
        d.where
        for d in declarations
        if d.where is not None and d.var not in overwritten and _variables(Assume(d.where)) <= {d.var}
    ]


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (s for i in procedure.implementations for b in i.blocks for s in b.statements)
