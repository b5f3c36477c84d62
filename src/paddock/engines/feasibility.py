"""Whether a path is feasible, with all quantifiers taken into account.

With quantifiers the solver that searches may only have a candidate model. The formula of the one path that it
takes is small, so it can be solved again with more effort. What such a model most often gets wrong is the value of a
map at indices that nothing on the path looks at, so those are tried with other values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from paddock.engines.counterexample import ModelValues, ModelWorld
from paddock.engines.outcome import CONFIRMATION_EFFORT, Budget, Infeasible
from paddock.engines.path_formula import PathFormula
from paddock.engines.paths import lifted
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.ir.types import INT, Map
from paddock.solvers.interface import Model, Solver, Status, Term
from paddock.solvers.ops import Op as SmtOp
from paddock.trace.path import Path
from paddock.trace.run import Run
from paddock.trace.values import MapValue, Undecided, Value, map_of
from paddock.trace.world import World
from paddock.vc.encode import TooManyExpansions

# Values that are tried for the elements of integer maps that a path does not look at.
TRIED = (0, -1, 1, 1 << 40)


# The effort, as of so many seconds, of deciding whether a single path is feasible.
LOOK_EFFORT = 10.0
# The most time for either. It is not what ends them, or else verdicts would depend on how busy the machine is.
PATIENCE_S = 60.0


def looked_at(
    program: Program, path: Path, solver: Solver, budget: Budget, replayed: Callable[[World], Run | None]
) -> Run | Infeasible | None:
    """What a close look at a single path gives: the run for which the path was given values, if there is one, that it
    is not feasible, or nothing. The solver is only asked for others like it."""
    for thorough in (False, True):
        with solver.another(thorough, LOOK_EFFORT) as fresh, suppress(Undecided):
            for status, world in recheck(program, path, fresh, look_time(budget), expand_all=not thorough):
                if status is Status.UNSAT:
                    return Infeasible(thorough)
                run = None if world is None else replayed(world)
                if run is not None:
                    is_sure = status is Status.SAT or thorough
                    return run if is_sure or not is_refuted(program, path, solver, budget) else Infeasible(True)
    return None


def is_refuted(program: Program, path: Path, solver: Solver, budget: Budget) -> bool:
    """Whether a path whose replay succeeds is not feasible all the same: the replay believes the model as to the
    program's functions, and a candidate need not satisfy all that is assumed of them."""
    for thorough in (False, True):
        with solver.another(thorough, CONFIRMATION_EFFORT) as fresh, suppress(Undecided):
            copy = lifted(path, program, program)
            status, _ = next(recheck(program, copy, fresh, look_time(budget), expand_all=not thorough))
            if status is not Status.UNKNOWN:
                return status is Status.UNSAT
    return False


def look_time(budget: Budget) -> float:
    """The most time for one query about a path."""
    left = budget.remaining()
    return PATIENCE_S if left is None else min(left, PATIENCE_S)


def recheck(
    program: Program, path: Path, solver: Solver, timeout: float | None, *, expand_all: bool
) -> Iterator[tuple[Status, World | None]]:
    """Ways to make the path real: each time, it has been given values, and the world that they belong to is yielded,
    with whether they satisfy the path's formula (SAT) or need not (UNKNOWN). In the end no world: UNSAT if the path is
    not feasible, UNKNOWN if that cannot be determined. The solver must be new.

    With `expand_all`, functions are replaced by their bodies: that leaves fewer quantifiers to be unsure of."""
    try:
        formula = PathFormula(program, path, solver, expand_all)
    except TooManyExpansions:
        yield Status.UNKNOWN, None
        return
    answer = solver.check((), timeout)
    if not answer.has_model:
        yield answer.status, None
        return
    model = solver.model()
    values = ModelValues(program, model)
    world = ModelWorld(program, formula.encoder, model)
    for slot, terms in formula.slots:
        found = values.of(list(terms.values()), [v.type for v in terms])
        slot.clear()
        slot.update(zip(terms, found, strict=True))
    yield answer.status, world
    maps = [
        (slot, var, _at_indices(formula, values, model, var, term))
        for slot, terms in formula.slots
        for var, term in terms.items()
        if isinstance(var.type, Map) and var.type.range is INT
    ]
    for default in TRIED:
        for slot, var, looked_at in maps:
            before = slot[var]
            assert isinstance(before, MapValue)
            slot[var] = map_of(default, {**before.entries, **looked_at}, before.size)
        yield answer.status, world
    yield Status.UNKNOWN, None


def _at_indices(
    formula: PathFormula, values: ModelValues, model: Model, var: Var, map_: Term
) -> dict[tuple[Value, ...], Value]:
    """The elements of a map at all indices that the path mentions."""
    assert isinstance(var.type, Map)
    domain, found = var.type.domain, {}
    for index in formula.indices.get(domain, ()):
        key = tuple(values.of(index, domain))
        element = formula.solver.terms.app(SmtOp.SELECT, (map_, *index))
        found[key] = values.convert(model.value(element), var.type.range)
    return found
