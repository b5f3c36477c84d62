"""Candidates that nobody has to write: how procedures change the typestate, when they do not fail, and simple ranges.

For predicates R and S of the typestate, globals g, results r and parameters x, a procedure may ensure

    S    old(R) ==> S    S || g == old(g)    g == old(g)    g >= old(g)    g <= old(g)    r == x    r >= 0
    !old(err) && old(R) ==> !err

and one that was a loop may keep a variable within a bound, `in_i <= n ==> i <= n`. With two predicates on one variable,
these contain the six shapes of Corral §4.2; the forms with the error bit are those of the deep-asserts paper, §VI.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paddock.ir.build import and_, compare, eq, implies, not_, old, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Lit, Op, Scope, Var
from paddock.ir.program import Procedure, find_attribute
from paddock.ir.types import INT
from paddock.ir.walk import subterms, variables
from paddock.passes.candidates import NewCandidates
from paddock.passes.loop_candidates import initial_values
from paddock.passes.template_candidates import says_something
from paddock.passes.typestate import Typestate, has_value, is_constant, is_scalar

MAKER = "candidates"
MOST_SCALARS = 8  # globals, results or parameters of one procedure that are looked at one by one


def typestate_candidates(new: NewCandidates, preconditions: bool = False) -> None:
    """Add them to all procedures that are called; with `preconditions`, also that predicates hold at their start."""
    program = new.old_program
    typestate = Typestate(program)
    called, entry = CallGraph(program).callers, entry_name(program)
    for procedure in program.procedures:
        if not procedure.implementations or not called[procedure.name]:
            continue
        origin = procedure.origin.by(MAKER)
        effects = new.effects[procedure.name]
        modified = [g for g in effects.modifies if g is not new.error]
        before = _about(typestate.predicates, {*effects.reads, *modified})
        for condition in _shapes(procedure, typestate, before, modified):
            if says_something(condition, procedure, modified):
                new.ensure(procedure, condition, origin)
        if new.error is not None and new.can_fail(procedure):
            for condition in _not_failing(procedure, typestate, before, new.error):
                new.ensure(procedure, condition, origin, unless_failed=False)
        if preconditions and procedure.name != entry:
            for predicate in before:
                new.require(procedure, predicate, origin)


def _about(predicates: Iterable[Expr], globals_: set[Var]) -> list[Expr]:
    """The predicates that are about these globals only."""
    return [p for p in predicates if all(v in globals_ for v in variables(p) if v.scope is Scope.GLOBAL)]


def _shapes(
    procedure: Procedure, typestate: Typestate, before: Sequence[Expr], modified: Sequence[Var]
) -> Iterator[Expr]:
    """What the procedure may ensure when it does not fail."""
    after = [p for p in typestate.predicates if not variables(p).isdisjoint(modified)]
    yield from after
    for s in after:
        yield from (implies(old(r), s) for r in before)
    for g in [v for v in modified if is_scalar(v.type)][:MOST_SCALARS]:
        yield eq(g, old(g))
        yield from _ranges(g, old(g))
        states = (has_value(g, c) for c in typestate.constants("", g))
        yield from (or_(s, eq(g, old(g))) for s in states if s in after)
    starts = initial_values(procedure)
    for r in [d.var for d in procedure.results if is_scalar(d.var.type)][:MOST_SCALARS]:
        yield from _range_of_constants(r, typestate.constants(procedure.name, r))
        if r in starts:
            yield eq(r, starts[r])
            yield from _ranges(r, starts[r])
            yield from _bounds(r, starts[r], _fixed(procedure, typestate.compared_with(procedure.name, r), modified))
        elif find_attribute(procedure.attributes, "loop") is None:
            params = [d.var for d in procedure.params if d.var.type is r.type]
            yield from (eq(r, x) for x in params[:MOST_SCALARS])


def _ranges(now: Expr, before: Expr) -> Iterator[Expr]:
    if now.type is INT:
        yield compare(Op.GE, now, before)
        yield compare(Op.LE, now, before)


def _range_of_constants(r: Var, constants: Sequence[Expr]) -> Iterator[Expr]:
    """That a result is one of the constants that it is given, or between them."""
    numbers = sorted(((n, c) for c in constants if (n := _number(c)) is not None), key=lambda pair: pair[0])
    if len(constants) == 1:
        yield has_value(r, constants[0])
    if r.type is INT and numbers:
        yield compare(Op.GE, r, numbers[0][1])
        yield compare(Op.LE, r, numbers[-1][1])


def _number(constant: Expr) -> int | None:
    match constant:
        case Lit(int(value), type_) if type_ is INT:
            return value
        case App(Op.NEG, (Lit(int(value), type_),)) if type_ is INT:
            return -value
        case _:
            return None


def _fixed(procedure: Procedure, terms: Iterable[Expr], modified: Sequence[Var]) -> list[Expr]:
    """Those of the terms that mean the same before and after a loop."""
    params = {d.var for d in procedure.params}
    return [t for t in terms if is_constant(t) or t in params or (_is_global(t) and t not in modified)]


def _is_global(term: Expr) -> bool:
    return isinstance(term, Var) and term.scope is Scope.GLOBAL


def _bounds(now: Var, before: Var, limits: Sequence[Expr]) -> Iterator[Expr]:
    """That a variable stays on its side of what it is compared with."""
    for limit in limits[:MOST_SCALARS] if now.type is INT else ():
        for op in (Op.LE, Op.GE):
            yield implies(compare(op, before, limit), compare(op, now, limit))


def _not_failing(procedure: Procedure, typestate: Typestate, before: Sequence[Expr], error: Var) -> Iterator[Expr]:
    """When the procedure may be said not to fail: always, where a predicate holds, where its own assertions do."""
    inputs = {d.var for d in procedure.params}
    own = [c for c in typestate.asserted.get(procedure.name, ()) if _is_about_start(c, inputs)]
    conditions = dict.fromkeys([*before, *own, *([and_(*own)] if len(own) > 1 else [])])
    yield implies(not_(old(error)), not_(error))
    for r in conditions:
        yield implies(and_(not_(old(error)), old(r)), not_(error))


def _is_about_start(condition: Expr, inputs: set[Var]) -> bool:
    """Whether a condition can be said of the start of a procedure: it is about parameters and globals."""
    parts = list(subterms([condition]))
    if any(isinstance(p, App) and p.op is Op.OLD for p in parts):
        return False
    mentioned = [v for v in parts if isinstance(v, Var)]
    return bool(mentioned) and all(v.scope is not Scope.LOCAL or v in inputs for v in mentioned)
