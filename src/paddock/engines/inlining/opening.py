"""Opening a search over the inlining graph: the graph with just its root, and the search that will grow it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from paddock.engines.inlining.engines import Opening
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import Merge, MergeTask, first
from paddock.engines.inlining.shapes import Shapes, has_at_most, is_small
from paddock.engines.inlining.stratified import Shortcuts, StratifiedSearch
from paddock.ir.entry import entry_name
from paddock.ir.program import Program

# What may end a search of a program with these shapes early.
WhichShortcuts = Callable[[Opening, Shapes], Shortcuts]

# Which call matters is asked for so long, as the solver counts seconds; then a graph with so many nodes is built.
PATIENCE = 60.0
MOST_REST = 2_500

# After these efforts, so many states of the values of globals are looked at: in a second, or in a few.
VALUES = ((2.0, 15_000), (20.0, 60_000))


def whole_if_small(opening: Opening, shapes: Shapes) -> Shortcuts:
    """A graph that is hardly larger than the program is built at once. One that can be built at all is built when it
    has taken long to ask which calls matter: most drivers for which that takes long have no such graph."""
    bounds, entry = opening.bounds, entry_name(opening.program)

    @cache
    def is_small_at(bound: int) -> bool:
        return is_small(shapes, entry, first, bounds, bound)

    @cache
    def can_be_built(bound: int) -> bool:
        return has_at_most(MOST_REST, shapes, entry, first, bounds, bound)

    def whole(bound: int, effort: float) -> bool:
        return is_small_at(bound) or (effort >= PATIENCE and can_be_built(bound))

    return Shortcuts(whole, _RuledOutByValues(opening.program)) if opening.typestates else Shortcuts(whole)


class _RuledOutByValues:
    """Whether, after an effort of the solver, the values of a few globals show that there is no error. That is looked
    at only when the search takes long, and again when it takes longer, if there were too many states before."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._later = list(VALUES)
        self._is_shown = False

    def __call__(self, effort: float) -> bool:
        while self._later and effort >= self._later[0][0]:
            from paddock.analysis.facts.partitioned import cannot_return  # most searches are over before

            is_shown = cannot_return(self._program, self._later.pop(0)[1])
            if is_shown is not None:
                self._is_shown, self._later = is_shown, []
        return self._is_shown


def step_by_step(_opening: Opening, _shapes: Shapes) -> Shortcuts:
    return Shortcuts()


def whole(_opening: Opening, _shapes: Shapes) -> Shortcuts:
    return Shortcuts(whole=lambda _bound, _effort: True)


def forward(opening: Opening, merge: Merge, which: WhichShortcuts) -> StratifiedSearch:
    """A search from the entry on."""
    inlining, seconds = _inlining(opening, merge)
    shortcuts = which(opening, inlining.shapes)
    search = StratifiedSearch(inlining, opening.bounds, shortcuts, opening.judge, opening.budget, opening.choice)
    search.statistics.vc_s = seconds
    return search


def alternating(opening: Opening, merge: Merge) -> StratifiedSearch:
    """A search that starts where assertions are."""
    from paddock.engines.inlining.alternating import AlternatingSearch, heads_of  # other engines do without it

    inlining, seconds = _inlining(opening, merge, several_roots=True)
    search = AlternatingSearch(
        inlining, opening.bounds, opening.judge, opening.budget, opening.choice, heads_of(opening.program)
    )
    search.statistics.vc_s = seconds
    return search


def _inlining(opening: Opening, merge: Merge, several_roots: bool = False) -> tuple[Inlining, float]:
    """The graph with just its root, and the CPU seconds that its formula took."""
    entry, shapes = entry_name(opening.program), Shapes(opening.program, opening.data_disjointness)
    strategy = merge.start(MergeTask(shapes, entry, opening.bounds, opening.seed))
    started = time.process_time()
    inlining = Inlining(shapes, entry, opening.solver, strategy, several_roots)
    return inlining, time.process_time() - started
