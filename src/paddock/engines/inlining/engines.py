"""The engines: how a search over the inlining graph starts, what it shares and what it needs of the program.

Eager, stratified and DAG inlining are one search (`stratified.py`) with different settings; alternating search is one
on top of it. `ENGINES` has them by the names of `--engine`. A new one is a class here and an entry there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import ClassVar, Protocol, runtime_checkable

from paddock.engines.inlining.alternating import AlternatingSearch, heads_of
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.instances import Inlining
from paddock.engines.inlining.merging import First, Merge, MergeTask, Tree, first
from paddock.engines.inlining.shapes import Shapes, is_small
from paddock.engines.inlining.stratified import Choice, StratifiedSearch
from paddock.engines.judging import Judge
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.program import Program
from paddock.solvers.interface import Solver, Term
from paddock.trace.path import Path


@dataclass(frozen=True, slots=True)
class Opening:
    """What a search starts from: a program without assertions, how deep to go, and who solves and judges."""

    program: Program
    bounds: Bounds
    solver: Solver
    judge: Judge
    budget: Budget
    choice: Choice
    data_disjointness: bool = False
    seed: int = 0
    goal: str = "assertion"


class Search(Protocol):
    """A search. More may be asserted, and it may be run again."""

    bounds: Bounds
    statistics: Statistics
    completed: int | None
    assumed: Sequence[Term]  # in every query, until it is changed

    def named(self, var: Var) -> Term:
        """The solver's constant for one of the program."""
        ...

    def run(self, first_bound: int = 1) -> Outcome:
        """The verdict, looking at executions within growing bounds."""
        ...

    def is_safe(self, assumptions: Sequence[Term] = ()) -> bool:
        """Whether, under assumptions, there is no error even where the last bound cut something off."""
        ...

    def error_beyond(self, assumptions: Sequence[Term] = ()) -> Path | None:
        """A path to an error, under assumptions, behind what the last bound cut off, if it can be told."""
        ...


@runtime_checkable
class Engine(Protocol):
    """A way to search. `needs_error_bit`: whether the question is put as an error bit at the end of the entry, or the
    search starts where assertions are; `lifts_assertions`: whether it is for lifted assertions by default; `unwinds`:
    whether it is given the program as it is, with its loops and assertions."""

    name: ClassVar[str]
    needs_error_bit: ClassVar[bool]
    lifts_assertions: ClassVar[bool]
    unwinds: ClassVar[bool]

    @property
    def shares(self) -> bool:
        """Whether calls may share instances."""
        ...

    def first_bound(self, bounds: Bounds) -> int:
        """The recursion bound that is searched first."""
        ...

    def open(self, opening: Opening) -> Search:
        """A search that is ready to run."""
        ...


@dataclass(frozen=True, slots=True)
class Dag:
    """DAG inlining (Lal and Qadeer, PLDI 2015). A graph that is small as a whole is built at once."""

    merge: Merge = field(default_factory=First)
    name: ClassVar[str] = "dag"
    needs_error_bit: ClassVar[bool] = True
    lifts_assertions: ClassVar[bool] = True
    unwinds: ClassVar[bool] = False

    @property
    def shares(self) -> bool:
        return self.merge.shares

    def first_bound(self, bounds: Bounds) -> int:
        return 1

    def open(self, opening: Opening) -> StratifiedSearch:
        bounds, entry = opening.bounds, entry_name(opening.program)
        return _opened(opening, self.merge, lambda shapes: lambda bound: is_small(shapes, entry, first, bounds, bound))


@dataclass(frozen=True, slots=True)
class Stratified:
    """Stratified inlining (Lal, Qadeer and Lahiri, CAV 2012): every call has an instance of its own."""

    name: ClassVar[str] = "stratified"
    needs_error_bit: ClassVar[bool] = True
    lifts_assertions: ClassVar[bool] = True
    unwinds: ClassVar[bool] = False
    shares: ClassVar[bool] = False

    def first_bound(self, bounds: Bounds) -> int:
        return 1

    def open(self, opening: Opening) -> StratifiedSearch:
        return _opened(opening, Tree(), lambda shapes: lambda bound: False)


@dataclass(frozen=True, slots=True)
class Eager:
    """Everything is inlined up to the last bound before the first query."""

    name: ClassVar[str] = "eager"
    needs_error_bit: ClassVar[bool] = True
    lifts_assertions: ClassVar[bool] = True
    unwinds: ClassVar[bool] = False
    shares: ClassVar[bool] = False

    def first_bound(self, bounds: Bounds) -> int:
        return bounds.last

    def open(self, opening: Opening) -> StratifiedSearch:
        return _opened(opening, Tree(), lambda shapes: lambda bound: True)


@dataclass(frozen=True, slots=True)
class Alternating:
    """Alternating search (deep-asserts paper, Algorithm 1): backward over callers, forward inside."""

    merge: Merge = field(default_factory=First)
    name: ClassVar[str] = "alternating"
    needs_error_bit: ClassVar[bool] = False
    lifts_assertions: ClassVar[bool] = False
    unwinds: ClassVar[bool] = False

    @property
    def shares(self) -> bool:
        return self.merge.shares

    def first_bound(self, bounds: Bounds) -> int:
        return 1

    def open(self, opening: Opening) -> StratifiedSearch:
        inlining, seconds = _inlining(opening, self.merge, several_roots=True)
        search = AlternatingSearch(
            inlining, opening.bounds, opening.judge, opening.budget, opening.choice, heads_of(opening.program)
        )
        search.statistics.vc_s = seconds
        return search


@dataclass(frozen=True, slots=True)
class Symbolic:
    """Symbolic execution of the whole program with merged paths, as in bounded model checking of C (TACAS 2004)."""

    name: ClassVar[str] = "symbolic"
    needs_error_bit: ClassVar[bool] = False
    lifts_assertions: ClassVar[bool] = False
    unwinds: ClassVar[bool] = True
    shares: ClassVar[bool] = False

    def first_bound(self, bounds: Bounds) -> int:
        return 1

    def open(self, opening: Opening) -> Search:
        from paddock.engines.symbolic.search import SymbolicSearch  # other engines do without it

        return SymbolicSearch(
            opening.program, opening.bounds, opening.goal, opening.solver, opening.judge, opening.budget
        )


ENGINES: Mapping[str, Engine] = MappingProxyType(
    {engine.name: engine for engine in (Dag(), Stratified(), Eager(), Alternating(), Symbolic())}
)


def with_merge(engine: Engine, merge: Merge) -> Engine:
    """The engine with another merging strategy, if it has one."""
    return replace(engine, merge=merge) if isinstance(engine, Dag | Alternating) else engine


def _opened(opening: Opening, merge: Merge, whole: Callable[[Shapes], Callable[[int], bool]]) -> StratifiedSearch:
    """A search that builds the whole graph at once at bounds for which `whole` says so."""
    inlining, seconds = _inlining(opening, merge)
    search = StratifiedSearch(
        inlining, opening.bounds, whole(inlining.shapes), opening.judge, opening.budget, opening.choice
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
