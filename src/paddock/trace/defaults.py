"""A world for a program of which nothing is known: defaults, but for what simple axioms of the program say.

Front ends for C write most constants as `const c: int; axiom c == 5;`, and some functions by their values, as
in `axiom $and.i1(1, 1) == 1;`. Runs in a world that ignored these would say little about the program. Axioms
of any other form are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paddock.ir.expr import App, Binder, Expr, Fn, Op, Scope, Var
from paddock.ir.program import Program
from paddock.ir.types import Map
from paddock.ir.walk import subterms, variables
from paddock.trace.evaluate import Evaluator
from paddock.trace.values import Env, Index, MapValue, Undecided, Value, map_of
from paddock.trace.world import World


def default_world(program: Program) -> World:
    """The world in which axioms `c == e` hold where e is made of constants that other such axioms define, and
    then `f(e1, …) == e` for functions without a body."""
    equations = [e for axiom in program.axioms for e in _equations(axiom.condition)]
    constants = _constants(program, equations)
    return World(program, constants=constants, functions=_functions(program, equations, constants))


def _equations(axiom: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The equations among the conjuncts of an axiom, each in both directions."""
    stack = [axiom]
    while stack:
        term = stack.pop()
        if isinstance(term, App) and term.op is Op.AND:
            stack.extend(reversed(term.args))
        elif isinstance(term, App) and term.op in (Op.EQ, Op.IFF):
            left, right = term.args
            yield left, right
            yield right, left


def _constants(program: Program, equations: list[tuple[Expr, Expr]]) -> dict[str, Value]:
    known: dict[str, Value] = {}
    waiting = [(c, e, variables(e)) for c, e in equations if isinstance(c, Var) and c.scope is Scope.CONST]
    waiting = [definition for definition in waiting if definition[0] not in definition[2]]
    progress = True
    while progress:
        evaluator = Evaluator(World(program, constants=known))
        settled = set(known)  # what the evaluator knows; the rest waits for the next round
        later = []
        progress = False
        for constant, definition, needs in waiting:
            if any(v.name not in settled for v in needs):
                later.append((constant, definition, needs))
            elif constant.name not in known and (value := _value(evaluator, definition)) is not None:
                known[constant.name] = value
                progress = True
        waiting = later
    return known


def _functions(
    program: Program, equations: list[tuple[Expr, Expr]], constants: Mapping[str, Value]
) -> dict[str, MapValue]:
    world = World(program, constants=constants)
    evaluator = Evaluator(world)
    points: dict[str, dict[Index, Value]] = {}
    for left, right in equations:
        if isinstance(left, App) and isinstance(left.op, Fn) and _is_ground(left) and _is_ground(right):
            values = [_value(evaluator, e) for e in (*left.args, right)]
            known = tuple(v for v in values if v is not None)
            if len(known) == len(values):
                points.setdefault(left.op.name, {}).setdefault(known[:-1], known[-1])
    tables = {}
    for name, entries in points.items():
        function = program.function_named[name]
        type_ = Map(tuple(p.var.type for p in function.params), function.result)
        tables[name] = map_of(world.default(function.result), entries, world.domains.index_size(type_))
    return tables


def _is_ground(term: Expr) -> bool:
    return not any(isinstance(t, Binder) for t in subterms([term]))


def _value(evaluator: Evaluator, term: Expr) -> Value | None:
    try:
        return evaluator.evaluate(term, Env())
    except Undecided:
        return None
