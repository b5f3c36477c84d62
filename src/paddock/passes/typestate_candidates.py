"""Candidates of our own: how procedures change the typestate, when they do not fail, and simple ranges.

For predicates R and S of the typestate, globals g, results r and parameters x, a procedure may ensure

    S    old(R) ==> S    S || g == old(g)    g == old(g)    g >= old(g)    g <= old(g)    r == x    r >= 0
    !old(err) && old(R) ==> !err

and one that was a loop may keep a variable within a bound, `in_i <= n ==> i <= n`. With two predicates on one variable,
these contain the six shapes of Corral §4.2; the forms with the error bit are those of the deep-asserts paper, §VI.

There is no limit on the number of predicates: all are tried alone and with those that have a variable in common. What
is tried besides, of which there are as many as pairs of predicates, of results and parameters, is limited by the work
that it makes. Procedures take turns, so that none takes all of it; how many candidates are left out is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from paddock.frozen import frozen
from paddock.ir.build import and_, compare, eq, implies, not_, old, or_
from paddock.ir.callgraph import calls
from paddock.ir.entry import entry_name
from paddock.ir.expr import App, Expr, Lit, Op, Scope, Var
from paddock.ir.origin import Made, Role
from paddock.ir.program import Procedure, find_attribute
from paddock.ir.types import INT
from paddock.ir.walk import subterms, variables
from paddock.passes.candidates import NewCandidates
from paddock.passes.loop_candidates import initial_values
from paddock.passes.template_candidates import says_something
from paddock.passes.typestate import Typestate, has_value, is_constant, is_scalar

MAKER = Made("candidates", Role.CANDIDATE)
# A procedure with n candidates takes at most n questions, each about all of them; and its callers rely on them wherever
# they call it. So much work there may be in any program, and more in larger ones: some thousand candidates.
LEAST_WORK = 500_000
WORK_PER_PROCEDURE = 2_000


def typestate_candidates(new: NewCandidates, preconditions: bool = False, work: int | None = None) -> None:
    """Add them to all procedures that are called; with `preconditions`, also that predicates hold at their start. How
    much work they may make depends on the program, if it is not given."""
    program = new.old_program
    typestate, entry = Typestate(program), entry_name(program)
    times_called = Counter(call.procedure for p in program.procedures for call in calls(p))
    called = [p for p in program.procedures if p.implementations and times_called[p.name]]
    wishes = [_Wishes(new, p, typestate, preconditions and p.name != entry) for p in called]
    if work is None:
        work = LEAST_WORK + WORK_PER_PROCEDURE * len(called)
    for wished, chosen in _in_turns(wishes, times_called, work):
        for wish in chosen:
            wish.offer(new, wished.procedure)
        new.left_out += wished.count - len(chosen)


@frozen
class _Wish:
    """A condition that a procedure may ensure, if it does not fail or anyway, or that it may require."""

    condition: Expr
    kind: Literal["ensures", "ensures anyway", "requires"] = "ensures"

    def offer(self, new: NewCandidates, procedure: Procedure) -> None:
        origin = procedure.origin.by(MAKER)
        if self.kind == "requires":
            new.require(procedure, self.condition, origin)
        else:
            new.ensure(procedure, self.condition, origin, unless_failed=self.kind == "ensures")


class _Wishes:
    """The candidates for a procedure: the first ones, and further ones, which may be too many to be made."""

    def __init__(self, new: NewCandidates, procedure: Procedure, typestate: Typestate, preconditions: bool) -> None:
        self.procedure = procedure
        effects = new.effects[procedure.name]
        modified = [g for g in effects.modifies if g is not new.error]
        self._before = _about(typestate.predicates, {*effects.reads, *modified})
        self._after = [p for p in typestate.predicates if not variables(p).isdisjoint(modified)]
        self._related = self._with_common_variables()
        related = (implies(old(r), s) for s, rs in self._related.items() for r in rs)
        self.first = [_Wish(c) for c in dict.fromkeys((*self._after, *related))]
        if new.error is not None and new.can_fail(procedure):
            conditions = _not_failing(procedure, typestate, self._before, new.error)
            self.first += (_Wish(c, "ensures anyway") for c in conditions)
        if preconditions:
            self.first += (_Wish(p, "requires") for p in self._before)
        single = dict.fromkeys(_shapes(procedure, typestate, set(self._after), modified))
        self._single = [_Wish(c) for c in single if says_something(c, procedure, modified)]

    @property
    def count(self) -> int:
        related = sum(map(len, self._related.values()))
        return len(self.first) + len(self._single) + len(self._before) * len(self._after) - related

    def further(self) -> Iterator[_Wish]:
        """Those that are tried besides the first ones."""
        yield from self._single
        for r, s in _foremost_pairs(self._before, self._after):
            if r not in self._related[s]:
                yield _Wish(implies(old(r), s))

    def _with_common_variables(self) -> dict[Expr, dict[Expr, None]]:
        """For each predicate after the procedure, those before it that are about one of its variables."""
        about: dict[Var, list[Expr]] = {}
        for r in self._before:
            for var in variables(r):
                about.setdefault(var, []).append(r)
        return {s: dict.fromkeys(r for v in variables(s) for r in about.get(v, ())) for s in self._after}


def _foremost_pairs(before: Sequence[Expr], after: Sequence[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """All pairs of a predicate before and one after, those of the first predicates first."""
    for n in range(max(len(before), len(after))):
        yield from ((before[n], s) for s in after[: n + 1] if n < len(before))
        yield from ((r, after[n]) for r in before[:n] if n < len(after))


def _in_turns(
    wishes: Sequence[_Wishes], times_called: Mapping[str, int], work: int
) -> Iterator[tuple[_Wishes, list[_Wish]]]:
    """The first candidates of each procedure and, while there is work to spend, one more of each in turn."""
    chosen = [list(wished.first) for wished in wishes]
    waiting = [(w.further(), taken, times_called[w.procedure.name]) for w, taken in zip(wishes, chosen, strict=True)]
    work -= sum(len(taken) * (len(taken) // 2 + times) for _, taken, times in waiting)
    while waiting and work > 0:
        still = []
        for more, taken, times in waiting:
            wish = next(more, None)
            if wish is not None:
                work -= len(taken) + times
                taken.append(wish)
                still.append((more, taken, times))
        waiting = still
    return zip(wishes, chosen, strict=True)


def _about(predicates: Iterable[Expr], globals_: set[Var]) -> list[Expr]:
    """The predicates that are about these globals only."""
    return [p for p in predicates if all(v in globals_ for v in variables(p) if v.scope is Scope.GLOBAL)]


def _shapes(
    procedure: Procedure, typestate: Typestate, after: Collection[Expr], modified: Sequence[Var]
) -> Iterator[Expr]:
    """What the procedure may ensure of single variables when it does not fail."""
    for g in (v for v in modified if is_scalar(v.type)):
        yield eq(g, old(g))
        yield from _ranges(g, old(g))
        states = (has_value(g, c) for c in typestate.constants("", g))
        yield from (or_(s, eq(g, old(g))) for s in states if s in after)
    starts = initial_values(procedure)
    for r in (d.var for d in procedure.results if is_scalar(d.var.type)):
        yield from _range_of_constants(r, typestate.constants(procedure.name, r))
        if r in starts:
            yield eq(r, starts[r])
            yield from _ranges(r, starts[r])
            yield from _bounds(r, starts[r], _fixed(procedure, typestate.compared_with(procedure.name, r), modified))
        elif find_attribute(procedure.attributes, "loop") is None:
            params = [d.var for d in procedure.params if d.var.type is r.type]
            yield from (eq(r, x) for x in params)


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
    for limit in limits if now.type is INT else ():
        for op in (Op.LE, Op.GE):
            yield implies(compare(op, before, limit), compare(op, now, limit))


def _not_failing(procedure: Procedure, typestate: Typestate, before: Sequence[Expr], error: Var) -> Iterator[Expr]:
    """When the procedure may be assumed not to fail: always, where a predicate holds, where its own assertions do."""
    inputs = {d.var for d in procedure.params}
    own = [c for c in typestate.asserted.get(procedure.name, ()) if _is_about_start(c, inputs)]
    conditions = dict.fromkeys([*before, *own, *([and_(*own)] if len(own) > 1 else [])])
    yield implies(not_(old(error)), not_(error))
    for r in conditions:
        yield implies(and_(not_(old(error)), old(r)), not_(error))


def _is_about_start(condition: Expr, inputs: set[Var]) -> bool:
    """Whether a condition can be stated at the start of a procedure: it is about parameters and globals."""
    parts = list(subterms([condition]))
    if any(isinstance(p, App) and p.op is Op.OLD for p in parts):
        return False
    mentioned = [v for v in parts if isinstance(v, Var)]
    return bool(mentioned) and all(v.scope is not Scope.LOCAL or v in inputs for v in mentioned)
