"""Invariants of a loop and of those in it by Houdini: candidates that hold where the loop is entered and, if all hold
at the heads of loops, again after an iteration, and in it wherever another loop starts or starts again.

    entry:  «what was done before the loop»; assert one of the candidates; return;
    step:   assume candidates; goto head;  …  again: assert one of the candidates; return;

Those that can fail are dropped until the rest is true together (Flanagan and Leino, Houdini, 2001). They come from the
conditions in the loop and before it, and from comparisons of the variables that it writes with what they start with or
meet there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from paddock.engines.regions.entry_facts import blocks_of, linked, made_before
from paddock.engines.regions.tree import Region
from paddock.ir.build import compare, eq, not_
from paddock.ir.cfg import Cfg
from paddock.ir.expr import App, Expr, Fn, Lit, Op, Scope, Var
from paddock.ir.modref import ModRef, assigned
from paddock.ir.origin import AssertionId
from paddock.ir.program import Function, Program, built_in
from paddock.ir.rewriting import calls_in, variables_in
from paddock.ir.stmt import Assert, Assign, Assume, Call, ParCall, Statement
from paddock.ir.types import BOOL, INT, Type
from paddock.ir.walk import subterms, variables

MOST_CANDIDATES = 60
COMPARISONS = ("bvult", "bvule", "bvslt", "bvsle")
_ORDER = (Op.LT, Op.LE, Op.GT, Op.GE)


def made_on_entry(program: Program, region: Region, effects: Mapping[str, ModRef]) -> list[Statement]:
    """The assumptions and assignments that hold whenever a loop is entered from outside."""
    body = program.procedure_named[region.procedure].body
    if body is None or region.head is None:
        return []
    inside = set(region.blocks)
    return list(made_before(Cfg(body), region.head, effects, lambda label: label not in inside))[::-1]


def about(
    program: Program, region: Region, sources: Collection[AssertionId], effects: Mapping[str, ModRef]
) -> set[Var] | None:
    """The variables that assertions in a loop have to do with, perhaps by way of others; None if it may be any. Whether
    an assertion is reached may depend on still others, but that it never is, is left for others to find out."""
    body = program.procedure_named[region.procedure].body
    assert body is not None
    statements = list(blocks_of(body, region))
    asserted = {s.origin.identity(): _variables(s.condition) for s in statements if isinstance(s, Assert)}
    start = [asserted.get(source, set[Var]()) for source in sources]
    if not all(start):
        return None
    return linked((group for s in statements for group in _touched(s, effects)), set[Var]().union(*start))


def _touched(statement: Statement, effects: Mapping[str, ModRef]) -> Iterator[set[Var]]:
    """The variables that a statement brings together."""
    match statement:
        case Assume(condition) | Assert(condition):
            yield from map(_variables, _conjuncts([condition]))
        case Assign(targets, values):
            yield from ({target, *_variables(value)} for target, value in zip(targets, values, strict=True))
        case Call() | ParCall():
            callees = [effects[call.procedure] for call in calls_in(statement)]
            globals_ = (var for callee in callees for var in (*callee.modifies, *callee.reads))
            yield {*variables_in(statement), *globals_}
        case _:
            pass


def candidates(
    program: Program, region: Region, on_entry: Sequence[Statement], relevant: set[Var] | None = None
) -> list[Expr]:
    """What may hold whenever the head of a loop is reached, of those variables that are relevant, or of any."""
    body = program.procedure_named[region.procedure].body
    if body is None or region.head is None:
        return []
    statements = list(blocks_of(body, region))
    written = dict.fromkeys(
        v for s in statements for v in assigned(s) if v.scope is Scope.LOCAL and (relevant is None or v in relevant)
    )
    conditions = [s.condition for s in statements if isinstance(s, Assume | Assert)]
    found: dict[Expr, None] = {}
    for condition in _conjuncts([*map(_condition, on_entry), *conditions]):
        if _variables(condition) & written.keys():
            found[condition] = None
    for var in written:
        for other in dict.fromkeys([*_initial(var, on_entry), *_met(var, conditions, written)]):
            found.update(dict.fromkeys(_comparisons(program, var, other)))
    for a, b in combinations(written, 2):
        if a.type is b.type:
            found[eq(a, b)] = None
    return [c for c in found if not isinstance(c, Lit)][:MOST_CANDIDATES]


def _conjuncts(conditions: Sequence[Expr]) -> Iterator[Expr]:
    stack = list(reversed(conditions))
    while stack:
        match stack.pop():
            case App(op=Op.AND, args=args):
                stack.extend(reversed(args))
            case condition:
                yield condition


def _condition(statement: Statement) -> Expr:
    """What may hold after an assumption or an assignment."""
    match statement:
        case Assume(condition):
            return condition
        case Assign((target,), (value,)):
            return eq(target, value)
        case _:
            raise AssertionError(statement)


def _initial(var: Var, on_entry: Sequence[Statement]) -> Iterator[Expr]:
    """What a variable is known to be equal to where the loop is entered."""
    for statement in on_entry:
        match _condition(statement):
            case App(op=Op.EQ, args=(left, right)) if left is var and isinstance(right, Lit | Var):
                yield right


def _met(var: Var, conditions: Sequence[Expr], written: Mapping[Var, None]) -> Iterator[Expr]:
    """Literals, and variables that stay the same, that conditions mention together with a variable."""
    for condition in conditions:
        if var in variables(condition):
            for part in subterms([condition]):
                is_fixed = isinstance(part, Lit) or (isinstance(part, Var) and part not in written)
                if is_fixed and part.type is var.type:
                    yield part


def _comparisons(program: Program, var: Var, other: Expr) -> Iterator[Expr]:
    """A variable compared with something, in all ways that the program knows."""
    if var.type is INT:
        yield from (compare(op, var, other) for op in _ORDER)
    for function in program.functions:
        if _compares(function, var.type):
            less = App(Fn(function.name), (var, other), BOOL)
            greater = App(Fn(function.name), (other, var), BOOL)
            yield from (less, not_(greater), greater, not_(less))


def _compares(function: Function, type_: Type) -> bool:
    is_comparison = built_in(function) in COMPARISONS
    return is_comparison and [param.var.type for param in function.params] == [type_, type_]


def _variables(expr: Expr) -> set[Var]:
    return {var for var in variables(expr) if var.scope in (Scope.LOCAL, Scope.GLOBAL)}
