"""Runs a program on random or given inputs and collects the values of its variables, as Daikon does (Ernst, Cockrell,
Griswold and Notkin, *Dynamically Discovering Likely Program Invariants*, 2001): where procedures start and return, and
at the heads of loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from paddock.frozen import frozen
from paddock.ir.build import old
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import ModRef, mod_ref
from paddock.ir.origin import Origin
from paddock.ir.program import FRONTIER, Procedure, Program, is_marked
from paddock.ir.types import BOOL, INT, Bv, Float, Map, Type
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import Oracle, RandomOracle, Why
from paddock.trace.values import MapValue, Value

MOST_SAMPLES = 300  # at one point
MOST_STEPS = 20_000  # of one run
LARGEST = (1, 3, 10, 100)  # numbers of random runs, in turns

# The values of terms, numbers also for Booleans, and of variables that are maps.
Sample = Mapping[Expr, int | MapValue]


@frozen
class Point:
    """A place in a procedure (`entry`, `exit` or `loop`); the label is that of the block that starts there, empty for
    the exit. `variables` are those worth looking at, numbers and maps; `before` are globals that the procedure may have
    changed since it started."""

    procedure: str
    kind: str
    label: str
    variables: tuple[Var, ...]
    before: tuple[Var, ...]
    origin: Origin


def observed(program: Program, runs: int, seed: int, inputs: Sequence[Sequence[int]] = ()) -> dict[Point, list[Sample]]:
    """The values seen at each point that was reached, in runs on given inputs and then in random ones."""
    interpreter = Interpreter(program)
    samples: dict[Point, list[Sample]] = {}
    watchers = {(p.procedure, p.label): partial(_see, p, samples) for p in points(program)}
    for n in range(len(inputs) + runs):
        random = RandomOracle(interpreter.world.domains, seed + n, LARGEST[n % len(LARGEST)])
        oracle: Oracle = GivenInputs(inputs[n], random) if n < len(inputs) else random
        limits = Limits(steps=MOST_STEPS)
        interpreter.run(oracle, None, limits, record=False, lazy=True, guided=True, watchers=watchers)
    return samples


class GivenInputs:
    """An oracle that gives numbers in turn to whatever is arbitrary, and asks another when there are none left."""

    def __init__(self, numbers: Sequence[int], others: Oracle) -> None:
        self._numbers = iter(numbers)
        self._others = others

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        return self._others.choose(procedure, label, targets)

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        number = next(self._numbers, None) if _is_scalar(var.type) else None
        if number is None:
            return self._others.value(procedure, var, why)
        match var.type:
            case Bv(width):
                return number % (1 << width)
            case type_:
                return bool(number) if type_ is BOOL else number


def points(program: Program) -> Iterator[Point]:
    """The places of a program at which its variables are looked at."""
    effects = mod_ref(program)
    # Where free memory starts says nothing about a program.
    frontiers = {g.var for g in program.globals if is_marked(g.attributes, FRONTIER)}
    reached = set(CallGraph(program).reachable((entry_name(program),)))
    for procedure in program.procedures:
        body = procedure.body if procedure.name in reached else None
        if body is None:
            continue
        cfg = Cfg(body)
        outside = tuple(v for v in _outside(procedure, effects[procedure.name]) if v not in frontiers)
        inside = (*outside, *(d.var for d in (*procedure.results, *body.locals) if _is_observable(d.var.type)))
        changed = set(effects[procedure.name].modifies)
        before = tuple(v for v in outside if v in changed and not isinstance(v.type, Map))
        heads = {loop.head for loop in cfg.loops}
        if cfg.entry not in heads:
            yield Point(procedure.name, "entry", cfg.entry, outside, (), procedure.origin)
        for loop in cfg.loops:
            yield Point(procedure.name, "loop", loop.head, inside, before, cfg.blocks[loop.head].origin)
        results = tuple(d.var for d in procedure.results if _is_observable(d.var.type))
        yield Point(procedure.name, "exit", "", (*outside, *results), before, procedure.origin)


def _outside(procedure: Procedure, effects: ModRef) -> tuple[Var, ...]:
    """What a procedure has in common with its callers: parameters, and the globals that it reads or writes."""
    touched = dict.fromkeys((*effects.reads, *effects.modifies))
    variables = (*(p.var for p in procedure.params), *touched)
    return tuple(v for v in variables if _is_observable(v.type))


def _is_scalar(type_: Type) -> bool:
    return type_ is INT or type_ is BOOL or isinstance(type_, Bv)


def _is_observable(type_: Type) -> bool:
    """Whether values of a type are looked at: numbers, Booleans, and maps from integers to them, floats excepted."""
    match type_:
        case Map((index,), element):
            return index is not BOOL and _is_scalar(index) and _is_scalar(element)
        case _:
            return _is_scalar(type_) or isinstance(type_, Float)


def _see(
    point: Point,
    samples: dict[Point, list[Sample]],
    locals_: dict[str, Value],
    globals_: dict[str, Value],
    before: dict[str, Value],
) -> None:
    seen = samples.setdefault(point, [])
    if len(seen) < MOST_SAMPLES:
        known: dict[Expr, Value | None] = {old(v): before.get(v.name) for v in point.before}
        known |= {v: (globals_ if v.scope is Scope.GLOBAL else locals_).get(v.name) for v in point.variables}
        seen.append({term: value for term, value in known.items() if isinstance(value, int | MapValue)})
