"""What the pass `facts` knows across calls: what a callee knows when it is entered, and a caller when it returns."""

from __future__ import annotations

from collections.abc import Iterator

from paddock.analysis.facts.cells import Cells
from paddock.analysis.facts.expressions import Meaning, evaluate
from paddock.analysis.facts.state import LARGEST_CLASS, State
from paddock.analysis.facts.values import is_constant, is_tracked
from paddock.ir.expr import App, Op, Scope, Var
from paddock.ir.modref import ModRef
from paddock.ir.program import Procedure


class Summary:
    """What is known where a procedure is entered and where it returns, and about which variables. Only those of
    tracked types are listed, and the `maps` that it may change, of which there may be `cells`."""

    def __init__(self, procedure: Procedure, effects: ModRef, cells: Cells | None = None) -> None:
        self.procedure = procedure
        self.cells = cells
        self.maps = tuple(g for g in effects.modifies if not is_tracked(g.type))
        self.params = tuple(p.var for p in procedure.params if is_tracked(p.var.type))
        self.results = tuple(r.var for r in procedure.results if is_tracked(r.var.type))
        self.modifies = tuple(g for g in effects.modifies if is_tracked(g.type))
        self.globals = tuple(dict.fromkeys((*self.modifies, *(g for g in effects.reads if is_tracked(g.type)))))
        self.visible = frozenset((*self.globals, *self.params, *self.results))
        preserved = _preserved(procedure)
        self.changes = tuple(g for g in self.modifies if g not in preserved)
        self.entry: State | None = None  # None: as far as is known, no execution gets there
        self.exit: State | None = None
        # What is known by the contract alone.
        self.required = State()
        self.ensured = State()


def _preserved(procedure: Procedure) -> set[Var]:
    """The globals that have their old values when the procedure returns, by its contract."""
    found = set()
    for clause in procedure.ensures:
        match clause.condition:
            case App(Op.EQ | Op.IFF, (Var() as var, App(Op.OLD, (old,))) | (App(Op.OLD, (old,)), Var() as var)):
                if var is old:
                    found.add(var)
    return found


class CallSite:
    """A call as the caller sees it."""

    __slots__ = ("arguments", "callee", "changed", "results")

    def __init__(
        self, callee: Summary, arguments: tuple[Meaning, ...], results: tuple[Var, ...], changed: tuple[Var, ...]
    ) -> None:
        self.callee = callee
        self.changed = changed  # all variables that take results, of whatever type
        self.arguments = arguments  # for the callee's parameters
        self.results = results  # the variables that take the callee's results


def at_entry(state: State, site: CallSite) -> State:
    """What is known in the callee when it is called in this state, without what is unknown there anyway."""
    callee, values = site.callee, state.values
    old = callee.entry
    open_ = callee.visible if old is None else old.values.keys() | old.classes.keys()
    entry = State({g: values[g] for g in callee.globals if g in open_ and g in values})
    for param, meaning in zip(callee.params, site.arguments, strict=True):
        if param in open_:
            value = evaluate(meaning, state)
            if value is not None:
                entry.values[param] = value
    if old is None or old.classes:
        _add_equalities(entry, state, site)
    if callee.cells is not None:
        callee.cells.pass_to(state, entry, ((a, p) for p, a in _names_of_arguments(site)))
    return entry


def _names_of_arguments(site: CallSite) -> Iterator[tuple[Var, Var]]:
    """The parameters for which a variable is given, and which."""
    for param, meaning in zip(site.callee.params, site.arguments, strict=True):
        if isinstance(meaning, Var):
            yield param, meaning


def _add_equalities(entry: State, state: State, site: CallSite) -> None:
    """What is equal among the callee's parameters and globals."""
    callee, classes = site.callee, state.classes
    groups = {classes[g][0]: list[Var]() for g in callee.globals if g in classes}  # by the first of the caller's class
    for param, meaning in zip(callee.params, site.arguments, strict=True):
        if isinstance(meaning, Var):
            groups.setdefault(classes[meaning][0] if meaning in classes else meaning, []).append(param)
    for first, params in groups.items():
        if len(params) > 1 or first in classes or first.scope is not Scope.LOCAL:
            _add_class(entry, params + [v for v in state.class_of(first) if _is_global(v, callee)])


def _is_global(var: Var, callee: Summary) -> bool:
    return var.scope is Scope.CONST or (var.scope is Scope.GLOBAL and var in callee.visible)


def at_exit(state: State, summary: Summary) -> State:
    """What is known where a procedure returns about what its callers can see."""
    values, classes = state.values, state.classes
    outputs = summary.results + summary.modifies
    result = State({var: values[var] for var in outputs if var in values})
    for var in outputs:
        if var in classes and var not in result.classes:
            _add_class(result, [v for v in classes[var] if v in summary.visible or v.scope is Scope.CONST])
    if summary.cells is not None:
        summary.cells.pass_to(state, result, ((p, p) for p in summary.params))
    return result


def _add_class(state: State, members: list[Var]) -> None:
    if len(members) > 1 and not is_constant(state.values.get(members[0])):
        state.add_class(tuple(members[:LARGEST_CLASS]))


def return_from(state: State, site: CallSite, _: None = None) -> bool:
    """Change what was known before a call to what is known after it; False if the call does not return."""
    exit_ = site.callee.exit
    return exit_ is not None and returned_from(state, site, exit_)


def returned_from(state: State, site: CallSite, exit_: State) -> bool:
    """Change what was known before a call to what is known after it, if the callee returns so; False if it cannot."""
    callee = site.callee
    names = _names_after_return(state, site) if exit_.classes else {}
    for var in callee.changes:
        if var in state.values or var in state.classes:
            state.forget(var)
    for var in callee.modifies:
        value = exit_.values.get(var)
        if value is not None and not state.restrict(var, value):
            return False
    if callee.cells is not None:
        for map_ in callee.maps:
            callee.cells.forget(state, map_)
        callee.cells.pass_to(exit_, state, _names_of_arguments(site))
        for target in site.changed:
            callee.cells.forget(state, target)
    for target, result in zip(site.results, callee.results, strict=True):
        state.assign(target, exit_.values.get(result))
    for members in dict.fromkeys(exit_.classes.values()):
        same = [names.get(var, var) for var in members if var in names or var.scope is Scope.CONST]
        if not all(state.equate(same[0], other) for other in same[1:]):
            return False
    return True


def _names_after_return(before: State, site: CallSite) -> dict[Var, Var]:
    """What the caller calls the variables that callers can see after the return, those that still have a name."""
    callee = site.callee
    changed = {*callee.changes, *site.results}
    names = {g: g for g in callee.globals if g not in site.results}
    for param, meaning in zip(callee.params, site.arguments, strict=True):
        if isinstance(meaning, Var):
            # The argument itself may be changed by the call, but not all that was equal to it.
            name = next((var for var in before.class_of(meaning) if var not in changed), None)
            if name is not None:
                names[param] = name
    names.update(zip(callee.results, site.results, strict=True))
    return names
