"""Proposes assertions that held in all runs that were observed, in the style of Daikon: constants, equalities, ranges,
orders, linear relations, also to what globals were before, that something is not 0, and what holds of elements of maps.

They may well be false in other runs, and most say little that others do not: to find that out is what checking and
implications are for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice

from paddock.engines.implications.arithmetic import Arithmetic
from paddock.engines.implications.elements import all_elements, single_elements
from paddock.engines.implications.lines import are_close, are_ordered, line_through, number, signed
from paddock.engines.implications.observation import Point, Sample
from paddock.frozen import frozen, replace
from paddock.ir.build import eq, ne, not_, old
from paddock.ir.expr import Attribute, Expr
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.stmt import Assert, Block, Return
from paddock.ir.types import BOOL, INT, Float, Map
from paddock.trace.values import MapValue

WIDEST_RANGE = 1000  # of values: wider ones are chance
MOST_VARIABLES = 12  # at a point, in relations between two


@frozen
class Candidate:
    """An assertion that is proposed, with the place that it is for."""

    id: str
    point: Point
    condition: Expr


def proposed(
    program: Program,
    samples: Mapping[Point, Sequence[Sample]],
    per_point: int,
    given: Callable[[Arithmetic], Mapping[Point, Sequence[Expr]]] = lambda _: {},
) -> tuple[Program, list[Candidate]]:
    """What is given for a point, what held whenever it was observed, `per_point` candidates at most for each; and the
    program with the functions that they need."""
    arithmetic = Arithmetic(program)
    elsewhere = given(arithmetic)
    candidates: list[Candidate] = []
    numbers: Counter[str] = Counter()
    for point in dict.fromkeys((*elsewhere, *samples)):
        place, seen = f"{point.procedure}.{point.kind}", samples.get(point, ())
        known = dict.fromkeys(elsewhere.get(point, ()))
        observed = _conditions(point, seen, arithmetic) if seen else iter(())
        for condition in (*known, *islice((c for c in observed if c not in known), per_point)):
            numbers[place] += 1
            candidates.append(Candidate(f"{place}.{numbers[place]}", point, condition))
    return replace(program, functions=(*program.functions, *arithmetic.added)), candidates


def with_assertions(program: Program, candidates: Sequence[Candidate]) -> Program:
    """The program that asserts the candidates."""
    by_place: dict[tuple[str, str], list[Assert]] = {}
    for candidate in candidates:
        point = candidate.point
        attributes = (Attribute("id", (candidate.id,)),)
        statement = Assert(candidate.condition, attributes, point.origin)
        by_place.setdefault((point.procedure, point.label), []).append(statement)

    def block(procedure: Procedure, b: Block) -> Block:
        # The first block is no loop's head if something is to be asserted at the entry: then nothing jumps there.
        before = by_place.get((procedure.name, b.label), ())
        after = by_place.get((procedure.name, ""), ()) if isinstance(b.transfer, Return) else ()
        return replace(b, statements=(*before, *b.statements, *after))

    def body(procedure: Procedure, implementation: Implementation) -> Implementation:
        return replace(implementation, blocks=tuple(block(procedure, b) for b in implementation.blocks))

    procedures = (replace(p, implementations=tuple(body(p, i) for i in p.implementations)) for p in program.procedures)
    return replace(program, procedures=tuple(procedures))


def _conditions(point: Point, seen: Sequence[Sample], arithmetic: Arithmetic) -> Iterator[Expr]:
    """What held in all samples, the most telling first."""
    maps = {v: [_map(sample.get(v)) for sample in seen] for v in point.variables if isinstance(v.type, Map)}
    known = [v for v in point.variables if v not in maps and all(v in sample for sample in seen)]
    at: dict[Expr, list[int]] = {v: _unsigned(v, seen) for v in known}
    values: dict[Expr, list[int]] = {v: _numbers(v, seen) for v in known}
    elements = single_elements(maps, at)
    values |= elements
    variables: list[Expr] = list(values)
    before = {t: _numbers(t, seen) for t in map(old, point.before) if all(t in sample for sample in seen)}
    values |= before
    changing = [v for v in (*before, *variables) if len(set(values[v])) > 1]
    numbers = [v for v in variables if v.type is not BOOL and (v in changing or v not in elements)]
    for var in variables:
        if var not in changing:
            yield _is_value(var, values[var][0])
    # What two globals were before is stated where the procedure starts.
    pairs = [(a, b) for a, b in combinations(changing[:MOST_VARIABLES], 2) if a.type is b.type and b not in before]
    for a, b in pairs:
        if values[a] == values[b]:
            yield eq(a, b)
    yield from all_elements(maps, at, arithmetic.at_most)
    for var in numbers:
        low, high = min(values[var]), max(values[var])
        if are_ordered(values[var], var.type) and are_close(low, high, var.type, WIDEST_RANGE):
            yield arithmetic.at_most(number(low, var.type), var)
            yield arithmetic.at_most(var, number(high, var.type))
        if 0 not in values[var] and not (isinstance(var.type, Float) and -1 in values[var]):
            yield ne(var, number(0, var.type))
    for a, b in pairs:
        if a.type is BOOL or values[a] == values[b] or not are_ordered((*values[a], *values[b]), a.type):
            continue
        for lower, upper in ((a, b), (b, a)):
            if all(x <= y for x, y in zip(values[lower], values[upper], strict=True)):
                yield arithmetic.at_most(lower, upper)
        for x, y in ((a, b), (b, a)) if not isinstance(a.type, Float) else ():
            line = line_through(values[x], values[y])
            if line is not None and (x.type is INT or line[0] == 1):
                yield arithmetic.on_line(x, y, *line)
                break


def _map(value: object) -> MapValue | None:
    return value if isinstance(value, MapValue) else None


def _numbers(term: Expr, seen: Sequence[Sample]) -> list[int]:
    """The values of a term, as signed numbers."""
    return [signed(value, term.type) for value in _unsigned(term, seen)]


def _unsigned(term: Expr, seen: Sequence[Sample]) -> list[int]:
    return [value for sample in seen if isinstance(value := sample[term], int)]


def _is_value(var: Expr, value: int) -> Expr:
    if var.type is BOOL:
        return var if value else not_(var)
    return eq(var, number(value, var.type))
