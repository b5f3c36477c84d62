"""A proof in parts that anyone can check: summaries of procedures, each of which its body implies if the summaries of
its callees hold, and with which the entry cannot return.

Checking goes from the entry down and asks about one body at a time; what nothing needs is left out. Where procedures
are recursive, that is induction over the depth of the recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field

from paddock.engines.interpolation.bodies import Body, alone
from paddock.engines.outcome import Budget
from paddock.frozen import frozen
from paddock.ir.build import FALSE, implies
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.modref import mod_ref
from paddock.ir.names import FreshNames
from paddock.ir.program import Program
from paddock.ir.summaries import Summary, SummaryOrigin
from paddock.ir.types import BOOL
from paddock.solvers.interface import Solver

CHECK_S = 10.0  # the most time for one body: what is inlined into it may be the whole program

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
    make_solver: Callable[[], Solver],
    budget: Budget,
    question_s: float = CHECK_S,
) -> Certificate | None:
    """Those of some summaries that prove, all together, that the entry of a program without assertions cannot return;
    None if they are not seen to, with so much time for each question."""
    return _Checking(program, ensures, inlined, make_solver, budget, question_s).run()


class _Checking:
    def __init__(
        self,
        program: Program,
        ensures: Conditions,
        inlined: Collection[str],
        make_solver: Callable[[], Solver],
        budget: Budget,
        question_s: float,
    ) -> None:
        self.program = program
        self.question_s = question_s
        self.inlined = inlined
        self.make_solver = make_solver
        self.budget = budget
        self.effects = mod_ref(program)
        fresh = FreshNames(program.top_level_names())
        # A constant for each condition, which is true where it is relied on.
        self.ensured: dict[Var, tuple[str, Expr]] = {
            Var(fresh(f"relied_on_{name}"), BOOL, Scope.CONST): (name, condition)
            for name, conditions in ensures.items()
            for condition in conditions
        }
        self.guarded: dict[str, list[Expr]] = {}
        for guard, (name, condition) in self.ensured.items():
            self.guarded.setdefault(name, []).append(implies(guard, condition))

    def run(self) -> Certificate | None:
        entry = entry_name(self.program)
        due: dict[str, list[Expr]] = {entry: [FALSE]}
        needed: dict[str, dict[Expr, None]] = {}
        uses: dict[str, dict[str, None]] = {}
        while due:
            name = next(iter(due))
            goals = due.pop(name)
            relied_on = self._proved(name, goals)
            if relied_on is None:
                return None
            for guard in relied_on:
                callee, condition = self.ensured[guard]
                uses.setdefault(name, {})[callee] = None
                if condition not in needed.setdefault(callee, {}):
                    needed[callee][condition] = None
                    due.setdefault(callee, []).append(condition)
        return Certificate(
            {p.name: tuple(needed[p.name]) for p in self.program.procedures if p.name in needed},
            frozenset(self.inlined),
            {name: tuple(callees) for name, callees in uses.items()},
        )

    def _proved(self, name: str, goals: Sequence[Expr]) -> list[Var] | None:
        """What has to be relied on for the body of a procedure to imply conditions."""
        part = alone(self.program, name, self.guarded, self.inlined, self.effects)
        present = {p.name for p in part.procedures}
        guards = [g for g, (callee, _) in self.ensured.items() if callee in present and callee not in self.inlined]
        found: dict[Var, None] = {}
        with ExitStack() as unless_made:
            solver = unless_made.enter_context(self.make_solver())
            with Body(part, solver, self.budget, self.question_s) as body:
                unless_made.pop_all()
                for goal in goals:
                    relied_on = body.relied_on(goal, guards)
                    if relied_on is None:
                        return None
                    found |= dict.fromkeys(relied_on)
        return list(found)
