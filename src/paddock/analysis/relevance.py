"""Which variables may decide how often the loops of a program run, and which procedures change one of those.

A backward slice that ignores the order of statements: from the conditions of loops to what the variables in them are
computed from, and to the conditions under which that is computed, through calls in both directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from paddock.analysis.known_values import conjuncts
from paddock.frozen import field, mutable
from paddock.ir.cfg import Cfg
from paddock.ir.expr import App, Expr, Op, Scope, Var
from paddock.ir.program import Program
from paddock.ir.rewriting import calls_in
from paddock.ir.stmt import Assign, Assume
from paddock.ir.walk import variables

_Place = tuple[str, str]  # a block: its procedure and its label
_Owned = tuple[str, Var]  # a variable of a procedure; "" stands for that of globals


@mutable
class Relevance:
    """What matters: variables by procedure (globals under ""), and the procedures to look into."""

    variables: dict[str, set[Var]] = field(default_factory=dict)
    procedures: set[str] = field(default_factory=set)

    def of(self, procedure: str) -> set[Var]:
        """The variables that matter in a procedure."""
        return self.variables.get(procedure, set()) | self.variables.get("", set())


def relevance(program: Program, graphs: dict[str, Cfg], conditions: Mapping[str, Iterable[Expr]]) -> Relevance:
    """What matters to conditions of procedures. `graphs` has the procedures that have a body to look into."""
    return _Slice(program, graphs, conditions).found


class _Slice:
    def __init__(self, program: Program, graphs: dict[str, Cfg], conditions: Mapping[str, Iterable[Expr]]) -> None:
        self.found = Relevance()
        self._program = program
        self._graphs = graphs
        self._conditions: dict[_Place, list[Expr]] = {}
        self._sources: dict[_Owned, list[tuple[_Place, Expr | _Owned]]] = {}
        self._sites: dict[str, list[_Place]] = {}
        for procedure, cfg in graphs.items():
            for label in cfg.reverse_postorder:
                self._read((procedure, label), cfg)
        self._controlling: set[_Place] = set()
        self._waiting: list[_Owned] = []
        for procedure, conditions_of in conditions.items():
            self._look_into(procedure)
            for condition in conditions_of:
                self._need(procedure, condition)
        while self._waiting:
            for place, source in self._sources.get(self._waiting.pop(), ()):
                self._look_into(place[0])
                self._controlled(place)
                if isinstance(source, Expr):
                    self._need(place[0], source)
                else:
                    self._look_into(source[0])
                    self._need_var(*source)

    def _read(self, place: _Place, cfg: Cfg) -> None:
        """Note what the statements of a block compute from what."""
        procedure, label = place
        for statement in cfg.blocks[label].statements:
            match statement:
                case Assign(targets, values):
                    for target, value in zip(targets, values, strict=True):
                        self._note(procedure, target, place, value)
                case Assume(condition):
                    self._conditions.setdefault(place, []).append(condition)
                    for var, other in _equalities(condition):
                        self._note(procedure, var, place, other)
            for call in calls_in(statement):
                callee = self._program.procedure_named[call.procedure]
                self._sites.setdefault(callee.name, []).append(place)
                for param, arg in zip(callee.params, call.args, strict=True):
                    self._note(callee.name, param.var, place, arg)
                for result, target in zip(callee.results, call.results, strict=False):
                    self._note(procedure, target, place, (callee.name, result.var))

    def _note(self, procedure: str, var: Var, place: _Place, source: Expr | _Owned) -> None:
        self._sources.setdefault(_owned(procedure, var), []).append((place, source))

    def _need(self, procedure: str, expr: Expr) -> None:
        for var in variables(expr):
            if var.scope is not Scope.CONST:
                self._need_var(procedure, var)

    def _need_var(self, procedure: str, var: Var) -> None:
        owned = _owned(procedure, var)
        known = self.found.variables.setdefault(owned[0], set())
        if var not in known:
            known.add(var)
            self._waiting.append(owned)

    def _look_into(self, procedure: str) -> None:
        """What a procedure does matters, and so do the conditions under which it is called."""
        waiting = [procedure]
        while waiting:
            name = waiting.pop()
            if name not in self.found.procedures and name in self._graphs:
                self.found.procedures.add(name)
                for place in self._sites.get(name, ()):
                    self._controlled(place)
                    waiting.append(place[0])

    def _controlled(self, place: _Place) -> None:
        """The conditions on the way to a block matter."""
        procedure, label = place
        dominators = self._graphs[procedure].immediate_dominators
        current: str | None = label
        while current is not None and (procedure, current) not in self._controlling:
            self._controlling.add((procedure, current))
            for condition in self._conditions.get((procedure, current), ()):
                self._need(procedure, condition)
            current = dominators.get(current)


def _owned(procedure: str, var: Var) -> _Owned:
    return ("" if var.scope is Scope.GLOBAL else procedure), var


def _equalities(condition: Expr) -> Iterator[tuple[Var, Expr]]:
    for conjunct in conjuncts(condition):
        match conjunct:
            case App(Op.EQ | Op.IFF, (a, b)):
                for side, other in ((a, b), (b, a)):
                    if isinstance(side, Var):
                        yield side, other
