"""For which values of its variables a quantifier is looked at.

All of them, where the types are small or the body confines an integer to a range, as in
`(forall i: int :: 0 <= i && i < n ==> a[i] == 0)`. Enough of them, where a variable is only looked up in maps and
compared with what does not depend on it, as in `(forall i: int :: i == p || a[i] < b[i])`: between the entries of
the maps all indices are alike. Otherwise a few, which can refute but not prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from paddock.ir.expr import App, Binder, Expr, Let, Lit, Op, Quantifier, Scope, Var
from paddock.ir.types import INT, Float, Type
from paddock.ir.walk import subterms
from paddock.trace.domains import Domains
from paddock.trace.values import Index, MapValue, Value

_ALL = 4096  # no more instances than this for a decision
_SOME = 256  # no more than this for an attempt to refute
_HINTS = 12  # no more terms of the body than this are tried as values


@dataclass(frozen=True, slots=True)
class Bound:
    """`var >= term + offset` (a lower bound) or `var < term + offset`, with `var` not in the term."""

    var: Var
    lower: bool
    term: Expr
    offset: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that tells values of `var` apart: a term it is compared with or, with a position, a map in which
    it is looked up as the index at that position."""

    var: Var
    term: Expr
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What to evaluate before the values are chosen: `terms` are the bounds', then the hints, then the marks'.

    A variable in `marked` matters only through its marks.
    """

    binder: Binder
    bounds: tuple[Bound, ...]
    hints: tuple[Expr, ...]
    marks: tuple[Mark, ...]
    marked: frozenset[Var]

    @property
    def terms(self) -> tuple[Expr, ...]:
        return (*(b.term for b in self.bounds), *self.hints, *(m.term for m in self.marks))


def plan(binder: Binder) -> Plan:
    """How to choose values for this quantifier or lambda, whatever the state."""
    own = set(binder.vars)
    closed: dict[Expr, bool] = {}

    def is_closed(term: Expr) -> bool:
        if term not in closed:
            closed[term] = not any(t in own or isinstance(t, Binder) for t in subterms([term]))
        return closed[term]

    integers = {v for v in own if v.type is INT}
    bounds = [b for guard in _guards(binder) for b in _bounds(guard, integers) if is_closed(b.term)]
    types = {v.type for v in binder.vars}
    hints = [t for t in subterms([binder.body]) if isinstance(t, Lit | Var) and t.type in types and _is_hint(t)]
    marks, marked = _marks(binder, is_closed)
    return Plan(binder, tuple(bounds), tuple(hints[:_HINTS]), marks, marked)


def _marks(binder: Binder, is_closed: Callable[[Expr], bool]) -> tuple[tuple[Mark, ...], frozenset[Var]]:
    """The marks of the binder's variables, and the variables that have no other occurrences than those."""
    own = set(binder.vars)
    marks: dict[Mark, None] = {}
    other: set[Expr] = {binder.body}
    for node in subterms([binder.body]):
        if isinstance(node, Binder | Let):
            return (), frozenset()  # what is closed here may be open inside
        if isinstance(node, App):
            for position, arg in enumerate(node.args):
                if isinstance(arg, Var) and arg in own:
                    mark = _mark(node, position, arg, is_closed)
                    if mark is None:
                        other.add(arg)
                    else:
                        marks[mark] = None
    return tuple(marks), frozenset(own - other)


def _mark(node: App, position: int, var: Var, is_closed: Callable[[Expr], bool]) -> Mark | None:
    """How an application in which a variable stands tells its values apart, if that can be told beforehand."""
    if node.op is Op.SELECT and position > 0 and is_closed(node.args[0]):
        return Mark(var, node.args[0], position - 1)
    # Zeros of different signs are equal floats, but not the same.
    if (node.op in (Op.EQ, Op.NE) and not isinstance(var.type, Float)) or (node.op in _RELATIONS and var.type is INT):
        other = node.args[1 - position]
        if is_closed(other):
            return Mark(var, other)
    return None


def _is_hint(term: Expr) -> bool:
    # A bound variable may belong to a binder inside the body, and have no value here.
    return not (isinstance(term, Var) and term.scope is Scope.BOUND)


def _guards(binder: Binder) -> Iterator[Expr]:
    """Conditions without which an instance cannot matter: a `forall` holds and an `exists` fails."""
    body, stack = binder.body, []
    if binder.kind is Quantifier.FORALL:
        while isinstance(body, App) and body.op is Op.IMPLIES:
            stack.append(body.args[0])
            body = body.args[1]
    else:
        stack.append(body)
    while stack:
        term = stack.pop()
        if isinstance(term, App) and term.op is Op.AND:
            stack.extend(term.args)
        else:
            yield term


def _bounds(guard: Expr, vars_: set[Var]) -> Iterator[Bound]:
    if not isinstance(guard, App) or not isinstance(guard.op, Op) or guard.op not in _RELATIONS:
        return
    left, right = guard.args
    for var, term, op in ((left, right, guard.op), (right, left, _MIRRORED[guard.op])):
        if isinstance(var, Var) and var in vars_:
            for lower, offset in _RELATIONS[op]:
                yield Bound(var, lower, term, offset)


# What `x op t` says: is it a lower bound (x >= t + offset) or an upper one (x < t + offset)?
_RELATIONS: Mapping[Op, tuple[tuple[bool, int], ...]] = {
    Op.LT: ((False, 0),),
    Op.LE: ((False, 1),),
    Op.GT: ((True, 1),),
    Op.GE: ((True, 0),),
    Op.EQ: ((True, 0), (False, 1)),
}
_MIRRORED = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE, Op.EQ: Op.EQ}


def instances(plan_: Plan, known: Sequence[Value | None], domains: Domains) -> tuple[Iterator[Index], bool]:
    """Values for the variables, and whether these are all that matter.

    `known` has the values of the plan's terms, None where one is not to be had.
    """
    ranges = _ranges(plan_, known)
    representatives = _representatives(plan_, known, domains)
    choices: list[Sequence[Value]] = []
    complete = True
    for var in plan_.binder.vars:
        size = domains.size(var.type)
        if var in ranges and len(ranges[var]) <= _ALL:
            choices.append(ranges[var])
        elif size is not None and size <= _ALL:
            choices.append(domains.values(var.type))
        elif var in representatives:
            choices.append(representatives[var])
        else:
            complete = False
            choices.append(_attempts(var, ranges.get(var), plan_, known, domains))
    if complete and prod(map(len, choices)) <= _ALL:
        return product(*choices), True
    each = max(2, int(_SOME ** (1 / len(choices))))
    return product(*(choice[:each] for choice in choices)), False


def _representatives(plan_: Plan, known: Sequence[Value | None], domains: Domains) -> dict[Var, list[Value]]:
    """For each variable that matters only through its marks: the values that these name, and for all that lie
    between (or, if there is no order, are none of them) one that stands for them."""
    named: dict[Var, dict[Value, None]] = {v: {} for v in plan_.binder.vars if v in plan_.marked}
    for mark, value in zip(plan_.marks, known[len(known) - len(plan_.marks) :], strict=True):
        if mark.var not in named:
            continue
        if mark.position is None and value is not None:
            named[mark.var][value] = None
        elif mark.position is not None and isinstance(value, MapValue):
            named[mark.var].update(dict.fromkeys(index[mark.position] for index in value.entries))
        else:
            del named[mark.var]
    for var, values in named.items():
        if var.type is INT:
            between = [n for v in values if isinstance(v, int) for n in (v - 1, v + 1)]
            values.update(dict.fromkeys([*between, 0]))
        else:
            unlike = next((v for v in domains.distinct(var.type) if v not in values), None)
            if unlike is not None:
                values[unlike] = None
    return {var: list(values) for var, values in named.items()}


def all_indices(types: Sequence[Type], domains: Domains) -> Iterator[Index] | None:
    """All tuples of values of these types, if they are few."""
    sizes = [domains.size(t) for t in types]
    finite = [s for s in sizes if s is not None]
    if len(finite) < len(sizes) or prod(finite) > _ALL:
        return None
    return product(*(domains.values(t) for t in types))


def _ranges(plan_: Plan, known: Sequence[Value | None]) -> dict[Var, range]:
    """The integers that the bounds leave for a variable."""
    lower: dict[Var, int] = {}
    upper: dict[Var, int] = {}
    for bound, value in zip(plan_.bounds, known, strict=False):
        if isinstance(value, int):
            limit = value + bound.offset
            if bound.lower:
                lower[bound.var] = max(limit, lower.get(bound.var, limit))
            else:
                upper[bound.var] = min(limit, upper.get(bound.var, limit))
    return {v: range(lower[v], max(lower[v], upper[v])) for v in lower if v in upper}


def _attempts(
    var: Var, within: range | None, plan_: Plan, known: Sequence[Value | None], domains: Domains
) -> Sequence[Value]:
    tried: dict[Value, None] = {}
    if within is not None:
        tried.update(dict.fromkeys((within[0], within[-1], within[len(within) // 2])))
    for term, value in zip(plan_.terms, known, strict=True):
        if term.type is var.type and value is not None:
            tried[value] = None
            if isinstance(value, int) and var.type is INT:
                tried.update(dict.fromkeys((value - 1, value + 1)))
    tried.update(dict.fromkeys(domains.samples(var.type)))
    return list(tried)
