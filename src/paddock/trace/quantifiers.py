"""For which values of its variables a quantifier is looked at.

All of them, where the types are small or the body confines an integer to a range, as in
`(forall i: int :: 0 <= i && i < n ==> a[i] == i * i)`. Enough of them, where a variable is only looked up in maps and
tables of functions, and compared with other such variables and with what does not depend on any, as in
`(forall i, j: int :: i < j && j != p ==> a[i] <= f(j))`: between the entries of maps and tables all values are alike.
Otherwise a few, which can refute but not prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from paddock.frozen import frozen
from paddock.ir.build import old
from paddock.ir.expr import App, Binder, Expr, Fn, Let, Lit, Op, Quantifier, Scope, Var
from paddock.ir.types import INT, Type
from paddock.ir.walk import children, subterms
from paddock.trace.domains import Domains
from paddock.trace.values import Index, MapValue, Value
from paddock.trace.world import World

_ALL = 4096  # no more values of a variable than this for a decision
_MOST = 1 << 14  # nor more instances than this
_SOME = 256  # no more than this for an attempt to refute
_HINTS = 12  # no more terms of the body than this are tried as values


@frozen
class Bound:
    """`var >= term + offset` (a lower bound) or `var < term + offset`, with `var` not in the term."""

    var: Var
    lower: bool
    term: Expr
    offset: int


@frozen
class Mark:
    """Something that tells values of `var` apart: a term it is compared with or, with a position, a map in which it is
    looked up as the index at that position; with a function instead of a term, its table."""

    var: Var
    term: Expr | None
    position: int | None = None
    function: str = ""


@frozen
class Plan:
    """What to evaluate before the values are chosen: `terms` are the bounds', then the hints, then the marks'.

    A variable in `marked` matters only through its marks and through comparisons with others in `linked`. Whether it is
    more or less than something matters only for those in `ordered`.
    """

    binder: Binder
    bounds: tuple[Bound, ...]
    hints: tuple[Expr, ...]
    marks: tuple[Mark, ...]
    marked: frozenset[Var]
    linked: frozenset[Var]
    ordered: frozenset[Var]

    @property
    def terms(self) -> tuple[Expr, ...]:
        return (*(b.term for b in self.bounds), *self.hints, *(m.term for m in self.marks if m.term is not None))


def plan(binder: Binder, has_table: Callable[[str], bool]) -> Plan:
    """How to choose values for this quantifier or lambda, whatever the state. Some functions have tables."""
    own = set(binder.vars)
    inside = _bound_inside(binder)
    closed: dict[Expr, bool] = {}

    def is_closed(term: Expr) -> bool:
        if term not in closed:
            closed[term] = not any(t in own or t in inside or isinstance(t, Binder | Let) for t in subterms([term]))
        return closed[term]

    integers = {v for v in own if v.type is INT}
    bounds = [b for guard in _guards(binder) for b in _bounds(guard, integers) if is_closed(b.term)]
    types = {v.type for v in binder.vars}
    hints = [t for t in subterms([binder.body]) if isinstance(t, Lit | Var) and t.type in types and _is_hint(t)]
    occurrences = _Occurrences(binder, is_closed, has_table)
    if own & inside:  # a variable of the same name hides one
        return Plan(binder, tuple(bounds), tuple(hints[:_HINTS]), (), frozenset(), frozenset(), frozenset())
    return Plan(
        binder,
        tuple(bounds),
        tuple(hints[:_HINTS]),
        tuple(occurrences.marks),
        frozenset(own - occurrences.other),
        frozenset(occurrences.linked),
        frozenset(occurrences.ordered),
    )


def _bound_inside(binder: Binder) -> set[Var]:
    return {v for t in subterms([binder.body]) if isinstance(t, Binder | Let) for v in t.vars}


class _Occurrences:
    """How the variables of a binder occur in its body."""

    def __init__(self, binder: Binder, is_closed: Callable[[Expr], bool], has_table: Callable[[str], bool]) -> None:
        self.own = set(binder.vars)
        self.is_closed = is_closed
        self.has_table = has_table
        self.marks: dict[Mark, None] = {}
        self.linked: set[Var] = set()
        self.ordered: set[Var] = set()
        self.other: set[Expr] = {binder.body}
        seen: set[tuple[Expr, bool]] = set()
        stack = [(binder.body, False)]
        while stack:
            node, in_past = stack.pop()
            if (node, in_past) in seen:
                continue
            seen.add((node, in_past))
            parts = children(node)
            if isinstance(node, App):
                for position, part in enumerate(parts):
                    if isinstance(part, Var) and part in self.own:
                        self._occurs(node, position, part, in_past)
            else:
                self.other.update(parts)
            stack.extend((part, in_past or (isinstance(node, App) and node.op is Op.OLD)) for part in parts)

    def _occurs(self, node: App, position: int, var: Var, in_past: bool) -> None:
        """Note how an application in which a variable stands distinguishes its values, if that is known beforehand."""
        match node.op:
            case Op.SELECT if position > 0 and self.is_closed(node.args[0]):
                map_ = node.args[0]
                self.marks[Mark(var, old(map_) if in_past else map_, position - 1)] = None
            case Fn(name) if self.has_table(name):
                self.marks[Mark(var, None, position, name)] = None
            case Op.EQ | Op.NE:
                self._is_compared(var, node.args[1 - position], in_past)
            case Op.LT | Op.LE | Op.GT | Op.GE if var.type is INT:
                self.ordered.add(var)
                self._is_compared(var, node.args[1 - position], in_past)
            case _:
                self.other.add(var)

    def _is_compared(self, var: Var, term: Expr, in_past: bool) -> None:
        if term in self.own:
            self.linked.add(var)
        elif self.is_closed(term):
            self.marks[Mark(var, old(term) if in_past else term)] = None
        else:
            self.other.add(var)


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
        # Floats are bits here, whose order is another one than that of the numbers.
        if isinstance(var, Var) and var in vars_ and (op is Op.EQ or var.type is INT):
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


def instances(plan_: Plan, known: Sequence[Value | None], world: World) -> tuple[Iterator[Index], bool]:
    """Values for the variables, and whether these are all that matter.

    `known` has the values of the plan's terms, None where one is not to be had.
    """
    domains = world.domains
    ranges = _ranges(plan_, known)
    short = {v: r for v, r in ranges.items() if len(r) <= _ALL}
    mentioned, unknown = _mentioned(plan_, known, world)
    named = {v: mentioned[v] for v in plan_.binder.vars if v in plan_.marked and v not in unknown}
    representatives = _representatives(plan_, named, short, domains)
    choices: list[Sequence[Value]] = []
    complete = True
    for var in plan_.binder.vars:
        size = domains.size(var.type)
        if size is not None and size <= _ALL:
            choices.append(domains.values(var.type))
        elif var in representatives:
            choices.append(representatives[var])
        elif var in short:
            choices.append(short[var])
        else:
            complete = False
            choices.append(_attempts(var, mentioned[var], ranges.get(var), plan_, known, domains))
    if complete and prod(map(len, choices)) <= _MOST:
        return product(*choices), True
    each = max(2, int(_SOME ** (1 / len(choices))))
    return product(*(choice[:each] for choice in choices)), False


def _representatives(
    plan_: Plan, named: dict[Var, dict[Value, None]], ranges: Mapping[Var, range], domains: Domains
) -> dict[Var, list[Value]]:
    """For each variable that matters only through its marks, which name these values, and through links: these values
    and, of all that lie between (or, if there is no order, are none of them), as many as there are variables that are
    linked. Then some values compare to each other, and to all that is named, as any values do.
    """
    named = dict(named)
    for type_ in dict.fromkeys(v.type for v in plan_.binder.vars if v in plan_.linked):
        linked = [v for v in plan_.binder.vars if v in plan_.linked and v.type is type_]
        shared: dict[Value, None] = {}
        for var in linked:
            shared |= named[var] if var in named else dict.fromkeys(ranges.get(var, ()))
        named |= {var: shared for var in linked if var in named}
    result: dict[Var, list[Value]] = {}
    for var, values in named.items():
        alike = [v for v in plan_.binder.vars if v is var or (var in plan_.linked and v in plan_.linked)]
        count = sum(v.type is var.type for v in alike)
        if any(v in plan_.ordered for v in alike):
            integers = [v for v in values if isinstance(v, int)] or [0]
            between = (n for v in integers for step in range(1, count + 1) for n in (v - step, v + step))
            result[var] = list(dict.fromkeys([*integers, *between]))
        else:
            unlike = (v for v in domains.distinct(var.type) if v not in values)
            result[var] = [*values, *islice(unlike, count)]
    return result


def _mentioned(
    plan_: Plan, known: Sequence[Value | None], world: World
) -> tuple[dict[Var, dict[Value, None]], set[Var]]:
    """The values that the marks of each variable name, and the variables of which not all are known."""
    mentioned: dict[Var, dict[Value, None]] = {v: {} for v in plan_.binder.vars}
    unknown: set[Var] = set()
    values = iter(known[len(plan_.bounds) + len(plan_.hints) :])
    for mark in plan_.marks:
        value = world.table(mark.function) if mark.term is None else next(values)
        if mark.position is None and value is not None:
            mentioned[mark.var][value] = None
        elif mark.position is not None and isinstance(value, MapValue):
            mentioned[mark.var].update(dict.fromkeys(index[mark.position] for index in value.entries))
        else:
            unknown.add(mark.var)
    return mentioned, unknown


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
    var: Var,
    mentioned: Mapping[Value, None],
    within: range | None,
    plan_: Plan,
    known: Sequence[Value | None],
    domains: Domains,
) -> Sequence[Value]:
    tried = dict(mentioned)
    if within is not None:
        tried.update(dict.fromkeys((within[0], within[-1], within[len(within) // 2])))
    for term, value in zip(plan_.terms, known, strict=True):
        if term.type is var.type and value is not None:
            tried[value] = None
            if isinstance(value, int) and var.type is INT:
                tried.update(dict.fromkeys((value - 1, value + 1)))
    tried.update(dict.fromkeys(domains.samples(var.type)))
    return list(tried)
