"""A proof in parts that anyone can check: summaries of procedures, each of which its body implies if the summaries of
its callees hold, and with which the entry cannot return.

Checking goes from the entry down and asks about one body at a time; what nothing needs is left out. Where procedures
are recursive, that is induction over the depth of the recursion.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack

from paddock.engines.interpolation.bodies import Body, alone
from paddock.engines.interpolation.lemmas import Keys, Lemmas, Relied
from paddock.engines.interpolation.work import Work
from paddock.frozen import field, frozen
from paddock.ir.build import FALSE, implies
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.program import Program
from paddock.ir.summaries import Summary, SummaryOrigin
from paddock.ir.types import BOOL
from paddock.solvers.interface import Solver

CHECK = 10.0  # the effort for one question: what is inlined into a body may be the whole program

# Of procedures, by their names.
Conditions = Mapping[str, Sequence[Expr]]


@frozen
class Certificate:
    """What procedures ensure, by their names, and those that have to be looked into where they are called. `uses` says
    for each procedure whose summaries its own rely on."""

    ensures: Mapping[str, tuple[Expr, ...]]
    inlined: frozenset[str] = frozenset()
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def summaries(self, origin: SummaryOrigin = SummaryOrigin.INTERPOLANT) -> Iterator[Summary]:
        """The summaries, one for each procedure that has any."""
        return (Summary(name, tuple(ensured), origin) for name, ensured in self.ensures.items() if ensured)


def certified(
    program: Program,
    ensures: Conditions,
    inlined: Collection[str],
    solver: Solver,
    work: Work,
    question: float | None = CHECK,
    lemmas: Lemmas | None = None,
) -> Certificate | None:
    """Those of some summaries that prove, all together, that the entry of a program without assertions cannot return;
    None if they are not seen to, with so much effort for each question. Of lemmas that are known, nothing is asked but
    that the summaries suffice for the entry: if all are, that is one question. The solver is only used to make others.
    """
    return _Checking(program, ensures, inlined, solver, work, question, lemmas).run()


class _Checking:
    def __init__(
        self,
        program: Program,
        ensures: Conditions,
        inlined: Collection[str],
        solver: Solver,
        work: Work,
        question: float | None,
        lemmas: Lemmas | None,
    ) -> None:
        self.program = program
        self.question = question
        self.ensures = ensures
        self.inlined = inlined
        self.solver = solver
        self.work = work
        self.lemmas = lemmas
        self.effects = mod_ref(program)
        fresh = FreshNames(program.top_level_names())
        # A constant for each condition, which is true where it is relied on.
        self.ensured: dict[Var, Relied] = {
            Var(fresh(f"relied_on_{name}"), BOOL, Scope.CONST): (name, number)
            for name, conditions in ensures.items()
            for number in range(len(conditions))
        }
        self.guarded: dict[str, list[Expr]] = {}
        for guard, (name, number) in self.ensured.items():
            self.guarded.setdefault(name, []).append(implies(guard, ensures[name][number]))
        self.keys = None if lemmas is None else Keys(program, ensures, inlined, self.effects)

    def run(self) -> Certificate | None:
        entry = entry_name(self.program)
        due: dict[str, list[Expr]] = {entry: [FALSE]}
        needed: dict[str, dict[Expr, None]] = {}
        proved: dict[str, dict[Expr, list[Relied]]] = {}
        while due:
            name = next(iter(due))
            relied_on = self._proved(name, due.pop(name), is_asked=name == entry)
            if relied_on is None:
                return None
            proved.setdefault(name, {}).update(relied_on)
            for callee, number in (relied for found in relied_on.values() for relied in found):
                condition = self.ensures[callee][number]
                if condition not in needed.setdefault(callee, {}):
                    needed[callee][condition] = None
                    due.setdefault(callee, []).append(condition)
        order = [p.name for p in self.program.procedures if p.name in needed]
        # In their order, so that what is made of it again is the same.
        ensures = {name: tuple(c for c in self.ensures[name] if c in needed[name]) for name in order}
        uses = {name: tuple(dict.fromkeys(c for found in of.values() for c, _ in found)) for name, of in proved.items()}
        self._learn(ensures, proved)
        return Certificate(ensures, frozenset(self.inlined), {name: called for name, called in uses.items() if called})

    def _learn(
        self, ensures: Mapping[str, tuple[Expr, ...]], proved: Mapping[str, Mapping[Expr, Sequence[Relied]]]
    ) -> None:
        """Hand on the lemmas of a proof. They hold when callees ensure no more than what the proof relies on."""
        if self.lemmas is None:
            return
        keys = Keys(self.program, ensures, self.inlined, self.effects)
        learned: dict[str, list[Relied]] = {}
        for name, goals in proved.items():
            for goal, relied_on in goals.items() if name in ensures else ():
                numbered = [
                    (callee, ensures[callee].index(self.ensures[callee][number])) for callee, number in relied_on
                ]
                learned[keys.key(name, goal)] = numbered
        self.lemmas.learn(learned)

    def _proved(self, name: str, goals: Sequence[Expr], is_asked: bool) -> dict[Expr, list[Relied]] | None:
        """What has to be relied on for the body of a procedure to imply each of some conditions."""
        found = {} if is_asked else self._known(name, goals)
        open_ = [goal for goal in goals if goal not in found]
        if not open_:
            return found
        part = alone(self.program, name, self.guarded, self.inlined, self.effects)
        present = {p.name for p in part.procedures}
        guards = [g for g, (callee, _) in self.ensured.items() if callee in present and callee not in self.inlined]
        with ExitStack() as unless_made:
            solver = unless_made.enter_context(self.solver.another(effort=self.question))
            with Body(part, solver, self.work) as body:
                unless_made.pop_all()
                for goal in open_:
                    relied_on = body.relied_on(goal, guards)
                    if relied_on is None:
                        return None
                    found[goal] = [self.ensured[guard] for guard in relied_on]
        return found

    def _known(self, name: str, goals: Sequence[Expr]) -> dict[Expr, list[Relied]]:
        """What known lemmas rely on, by their goals."""
        if self.lemmas is None or self.keys is None:
            return {}
        found = {goal: self.lemmas.relied_on(self.keys.key(name, goal)) for goal in goals}
        return {goal: list(relied_on) for goal, relied_on in found.items() if relied_on is not None}
