"""All the ways in which a small program can end, by brute force: what engines and passes are tested against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.ir.types import Type
from paddock.trace.interpreter import Counts, Interpreter, Limits, all_count
from paddock.trace.oracle import Why
from paddock.trace.run import Cut, Outcome, Run
from paddock.trace.values import Undecided, Value
from paddock.trace.world import World

Domain = Callable[[Type], Sequence[Value]]


class _Prefix:
    """An oracle that repeats decisions made before, and then takes the first alternative each time."""

    def __init__(self, domain: Domain, decisions: list[tuple[int, int]]) -> None:
        self.domain = domain
        self.decisions = decisions  # (which alternative, out of how many)
        self.made = 0

    def _decide(self, alternatives: int) -> int:
        if self.made == len(self.decisions):
            self.decisions.append((0, alternatives))
        chosen, _ = self.decisions[self.made]
        self.made += 1
        return chosen

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        return targets[self._decide(len(targets))]

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        values = self.domain(var.type)
        if not values:
            raise Undecided(f"no values of type {var.type} to try")
        return values[self._decide(len(values))]


def every_run(
    program: Program,
    entry: str | None,
    domain: Domain,
    limits: Limits | None = None,
    world: World | None = None,
    counts: Counts = all_count,
) -> Iterator[Run]:
    """Every run, depth first, with arbitrary values taken from `domain(type)`. Values that are never read
    are never chosen, so that runs differ in something that matters. `counts` says whether a failure ends a run."""
    interpreter = Interpreter(program, world)
    decisions: list[tuple[int, int]] = []
    while True:
        yield interpreter.run(_Prefix(domain, decisions), entry, limits, record=False, lazy=True, counts=counts)
        while decisions and decisions[-1][0] + 1 == decisions[-1][1]:
            decisions.pop()
        if not decisions:
            return
        chosen, alternatives = decisions[-1]
        decisions[-1] = (chosen + 1, alternatives)


def explore(
    program: Program,
    entry: str | None,
    domain: Domain,
    limits: Limits | None = None,
    *,
    world: World | None = None,
    runs: int = 100_000,
) -> set[Outcome]:
    """How the program can end when arbitrary values are taken from `domain(type)`; `Cut("runs")` is among the
    outcomes if there are more than `runs` runs."""
    outcomes: set[Outcome] = set()
    for n, run in enumerate(every_run(program, entry, domain, limits, world)):
        if n == runs:
            return outcomes | {Cut("runs")}
        outcomes.add(run.outcome)
    return outcomes
