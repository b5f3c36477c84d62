"""What a user may ask of a check, as one frozen record that is valid once it exists.

Options come in groups (`groups.py`); each has a name of its own, so that the command line and `Options.of` need not
know in which group it is. What an option does is decided in `driver/`; this room only knows which values make sense.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_type_hints

from paddock.engines.inlining.engines import Engine
from paddock.frozen import field, fields, frozen, replace
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.spelling import did_you_mean
from paddock.options.groups import (
    AUTO,
    Boogie,
    Bounds,
    C,
    Dependence,
    Limits,
    Refinement,
    Regions,
    Report,
    Search,
    Smt,
    Summaries,
    Task,
    Threads,
)
from paddock.options.settings import Setting, settings_in

__all__ = ["AUTO", "Options", "settings"]


@frozen
class Options:
    """The options of a check. Raises `InputError` for values that make no sense.

    >>> from paddock import Options
    >>> options = Options.of(engine="stratified", timeout=60)
    >>> options.search.engine, options.limits.timeout, options.bounds.recursion_bound
    ('stratified', 60, 8)
    """

    task: Task = field(default_factory=Task)
    bounds: Bounds = field(default_factory=Bounds)
    threads: Threads = field(default_factory=Threads)
    search: Search = field(default_factory=Search)
    refinement: Refinement = field(default_factory=Refinement)
    summaries: Summaries = field(default_factory=Summaries)
    dependence: Dependence = field(default_factory=Dependence)
    regions: Regions = field(default_factory=Regions)
    smt: Smt = field(default_factory=Smt)
    limits: Limits = field(default_factory=Limits)
    boogie: Boogie = field(default_factory=Boogie)
    c: C = field(default_factory=C)
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise InputError(problems)

    @classmethod
    def of(cls, **named: Any) -> Options:
        """The options with these names and values, whatever their groups, and defaults for all others."""
        return cls().changed(**named)

    def changed(self, **named: Any) -> Options:
        """These options with other values for some names, whatever their groups."""
        known = settings()
        if unknown := next((name for name in named if name not in known), None):
            raise InputError(Diagnostic(f"there is no option {unknown}", hint=did_you_mean(unknown, list(known))))
        groups = {known[name].group for name in named}
        new: dict[str, Any] = {
            group: replace(getattr(self, group), **{n: v for n, v in named.items() if known[n].group == group})
            for group in groups
        }
        return replace(self, **new)

    def value(self, name: str) -> object:
        """The value of the option with a name, whatever its group."""
        return getattr(getattr(self, settings()[name].group), name)

    @property
    def search_engine(self) -> Engine:
        """The engine, with the merging strategy if it takes one."""
        return self.search.search_engine

    @property
    def races(self) -> bool:
        """Whether a program is searched in several ways side by side."""
        others = self.regions.gamble or self.dependence.implications or self.task.witness is not None
        return (self.limits.jobs or 1) > 1 and not others

    def lifts(self, goal: str) -> bool:
        """Whether assertions are lifted to the entry. Alternating search goes up from where they are by itself, and
        implications are looked for where they are."""
        by_default = self.search_engine.lifts_assertions and not self.dependence.implications
        chosen = self.search.deep_asserts
        return goal == "assertion" and (by_default if chosen is None else chosen)

    def choice(self, goal: str, suits: str | None = None) -> str:
        """What to inline next. Paths to lifted assertions pass many calls that have nothing to do with them. `suits` is
        what suits the language of the program, if anything does."""
        choose = self.search.choose
        if choose is None and suits is not None and (suits != "core" or self.search.traces in (None, 1)):
            return suits
        return choose or ("both" if self.lifts(goal) else "trace")

    def traces_at_a_time(self, goal: str, suits: str | None = None) -> int:
        """How many traces say what to inline next. Two save rounds; where other things have a say, too, one will do."""
        return self.search.traces or (2 if self.choice(goal, suits) == "trace" else 1)

    def _problems(self) -> Iterator[Diagnostic]:
        """What is wrong: with types; else with single values; else with what is combined."""
        known = [(setting, self.value(name)) for name, setting in settings().items()]
        values = [(setting, value) for setting, value in known if value is not setting.default]
        if wrong := [p for setting, value in values if (p := setting.type_problem(value))]:
            yield from wrong
            return
        yield from (single := [p for setting, value in values if (p := setting.problem(value))])
        for group in fields(self):
            yield from map(Diagnostic, getattr(self, group.name).problems())
        if not single:
            yield from map(Diagnostic, self._combined())

    def _combined(self) -> Iterator[str]:
        """What is wrong with options of several groups together."""
        jobs, regions, dependence = self.limits.jobs, self.regions, self.dependence
        if self.races and self.summaries.store is not None:
            yield f"--jobs {jobs} searches in several ways side by side, but --store is for one search"
        if regions.executor != "local" and not (regions.gamble or self.races):
            yield f"--executor {regions.executor} is for tasks: with --gamble, or --jobs 2 and more"
        if self.smt.dump_smt is not None and (self.races or (dependence.implications and (jobs or 1) > 1)):
            yield f"--tune dump-smt numbers the queries of one process, not those of --jobs {jobs}"
        if self.task.independent and self.report.harness is not None:
            yield "--harness stops at the first assertion that fails, but --independent goes on behind it"
        if self.search_engine.unwinds:
            yield from self._unwound()
        if self.task.cover is not None:
            yield from self._covering()
        if not dependence.implications:
            return
        if not self.task.all_assertions:
            yield "--implications is for many assertions: say --all-assertions, too"
        if not self.search_engine.needs_error_bit:
            name = self.search_engine.name
            yield f"--implications asks one search of one assertion after the other, but --engine {name} cannot"
        for name, is_set in (
            ("--refine", self.refinement.refine != "none"),
            ("--deep-asserts", self.search.deep_asserts),
            ("--gamble", regions.gamble),
        ):
            if is_set:
                yield f"--implications and {name} cannot be combined"

    def _covering(self) -> Iterator[str]:
        """What makes no sense where goals are to be reached, of other groups than that of the task."""
        for name, is_set in (
            ("--implications", self.dependence.implications),
            ("--gamble", self.regions.gamble),
            ("--store", self.summaries.store is not None),
            ("--unwinding-assertions", self.bounds.unwinding_assertions),
        ):
            if is_set:
                yield f"--cover and {name} cannot be combined"

    def _unwound(self) -> Iterator[str]:
        """What makes no sense for an engine that takes the program as it is."""
        for name, is_set in (
            ("--refine", self.refinement.refine != "none"),
            ("--houdini", self.summaries.houdini),
            ("--deep-asserts", self.search.deep_asserts),
            ("--gamble", self.regions.gamble),
        ):
            if is_set:
                yield f"--engine {self.search_engine.name} takes the program as it is: {name} cannot be combined"


@cache
def settings() -> dict[str, Setting]:
    """All options by their names, in the order of the groups."""
    groups = get_type_hints(Options)
    return {s.name: s for group, declared in groups.items() for s in settings_in(group, declared)}
