"""The engines: how a search over the inlining graph starts, what it shares and what it needs of the program.

Eager, stratified and DAG inlining are one search (`stratified.py`) with different settings; alternating search is one
on top of it. `ENGINES` has them by the names of `--engine`. A new one is a class here and an entry there. The options
name engines, so this module is loaded by every command; the searches are loaded when one is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from paddock.engines.inlining.merging import First, Merge, Tree
from paddock.frozen import field, frozen, replace

if TYPE_CHECKING:
    from paddock.engines.inlining.bounds import Bounds
    from paddock.engines.inlining.stratified import Choice
    from paddock.engines.judging import Judge
    from paddock.engines.outcome import Budget, Outcome, Statistics
    from paddock.engines.scope import Scope
    from paddock.ir.expr import Var
    from paddock.ir.program import Program
    from paddock.solvers.interface import Solver, Term
    from paddock.trace.path import Path


@frozen
class Opening:
    """What a search starts from: a program without assertions, how deep to go, and who solves and judges."""

    program: Program
    bounds: Bounds
    solver: Solver
    judge: Judge
    budget: Budget
    choice: Choice
    data_disjointness: bool = False
    typestates: bool = True
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
        """A path to an error, under assumptions, behind what the last bound cut off, if it can be determined."""
        ...

    def scope(self) -> Scope:
        """What the search has looked at so far."""
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


@frozen
class Dag:
    """DAG inlining (Lal and Qadeer, PLDI 2015). A graph that is small as a whole is built at once,
    one that is not large when asking which calls matter has taken long. By then, the values of a few globals may have
    shown that there is nothing to find."""

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

    def open(self, opening: Opening) -> Search:
        from paddock.engines.inlining.opening import forward, whole_if_small

        return forward(opening, self.merge, whole_if_small)


@frozen
class Stratified:
    """Stratified inlining (Lal, Qadeer and Lahiri, CAV 2012): every call has an instance of its own."""

    name: ClassVar[str] = "stratified"
    needs_error_bit: ClassVar[bool] = True
    lifts_assertions: ClassVar[bool] = True
    unwinds: ClassVar[bool] = False
    shares: ClassVar[bool] = False

    def first_bound(self, bounds: Bounds) -> int:
        return 1

    def open(self, opening: Opening) -> Search:
        from paddock.engines.inlining.opening import forward, step_by_step

        return forward(opening, Tree(), step_by_step)


@frozen
class Eager:
    """Everything is inlined up to the last bound before the first query."""

    name: ClassVar[str] = "eager"
    needs_error_bit: ClassVar[bool] = True
    lifts_assertions: ClassVar[bool] = True
    unwinds: ClassVar[bool] = False
    shares: ClassVar[bool] = False

    def first_bound(self, bounds: Bounds) -> int:
        return bounds.last

    def open(self, opening: Opening) -> Search:
        from paddock.engines.inlining.opening import forward, whole

        return forward(opening, Tree(), whole)


@frozen
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

    def open(self, opening: Opening) -> Search:
        from paddock.engines.inlining.opening import alternating

        return alternating(opening, self.merge)


@frozen
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
        from paddock.engines.symbolic.search import SymbolicSearch

        return SymbolicSearch(
            opening.program, opening.bounds, opening.goal, opening.solver, opening.judge, opening.budget
        )


ENGINES: Mapping[str, Engine] = MappingProxyType(
    {engine.name: engine for engine in (Dag(), Stratified(), Eager(), Alternating(), Symbolic())}
)


def with_merge(engine: Engine, merge: Merge) -> Engine:
    """The engine with another merging strategy, if it has one."""
    return replace(engine, merge=merge) if isinstance(engine, Dag | Alternating) else engine
