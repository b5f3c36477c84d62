"""Gambling on regions (Akhundov et al., Verification by Gambling on Program Slices, §3.2 and Fig. 5): each assertion is
tried in the innermost region around it, then in the regions around that, and last in the whole program.

Regions that do not wait for one another are verified at the same time. A region waits for those inside it, unless there
is a worker with nothing else to do (§4.6): then it starts early, and once more if what is inside has proved something.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from paddock.engines.outcome import Budget
from paddock.engines.regions.tree import Hierarchy, Region
from paddock.engines.regions.verify import Answer
from paddock.frozen import field, mutable
from paddock.ir.graph import topological_order
from paddock.ir.origin import AssertionId
from paddock.workers.interface import Ended, Executor, Task

Sources = dict[AssertionId, None]  # a set in the order in which its members came

# Makes the task of verifying some assertions in a region; the others in it are known to hold there.
TaskOf = Callable[[Region, Sequence[AssertionId], float | None], Task]
# Makes the task of checking the whole program, some assertions of which are proved.
WholeOf = Callable[[Sequence[AssertionId]], Task]

SHARE = 0.25  # of the time that is left, for one region
LEAST_S = 1.0  # that a check of the whole program counts for, however quick it was
SHARE_OF_ALL = 0.5  # of the time that there is, for all regions: what the whole program needs must be left


@mutable
class Gambled:
    """What came of it: the regions that prove each assertion between them, what was tried, and the end of the task of
    checking the whole program, if there was one that answers all, or nothing that regions have proved to help it."""

    proved: dict[AssertionId, list[Region]] = field(default_factory=dict)
    whole: Any = None
    problems: list[str] = field(default_factory=list)  # back ends that failed, tasks that were given up
    gambles: int = 0
    hits: int = 0  # gambles that proved something
    cancelled: int = 0
    stats: dict[str, float] = field(default_factory=dict)


@mutable
class _State:
    """What is known of a region: the assertions that have come to it, from its own blocks and from regions inside it
    that missed them, and those that it proves."""

    region: Region
    came: Sources
    proved: Sources = field(default_factory=dict)
    is_done: bool = False
    is_early: bool = False  # it was verified when regions inside it were not done
    tried: Sources | None = None  # what was asked the last time

    @property
    def left(self) -> list[AssertionId]:
        return [source for source in self.came if source not in self.proved]


class _Regions:
    """How far each region is, and how regions are inside of each other."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self.states = {
            region.id: _State(region, dict.fromkeys(hierarchy.assertions[region.id]))
            for region in hierarchy.regions.values()
        }
        self.inside: dict[str, list[str]] = {region: [] for region in self.states}
        for region, parents in hierarchy.parents.items():
            for parent in parents:
                self.inside[parent].append(region)
        self.order = topological_order(hierarchy.parents)  # what is inside comes first

    def is_helped(self, state: _State) -> bool:
        """Whether regions inside a region have proved something since it started."""
        asked = state.tried or {}
        return any(s in asked for inner in self.inside[state.region.id] for s in self.states[inner].proved)

    def collect(self, state: _State) -> None:
        """Take over what the regions inside have missed, and no more."""
        state.came = dict.fromkeys(self._hierarchy.assertions[state.region.id])
        for inner in self.inside[state.region.id]:
            state.came.update(dict.fromkeys(self.states[inner].left))

    def below(self, region: str) -> Iterator[str]:
        """The regions inside a region, at any depth."""
        found = {region: None}
        waiting = [region]
        while waiting:
            for inner in self.inside[waiting.pop()]:
                if inner not in found:
                    found[inner] = None
                    waiting.append(inner)
        yield from list(found)[1:]

    def proved(self) -> dict[AssertionId, list[Region]]:
        """The assertions that no path through the hierarchy brings to the whole program, with the regions that stop
        them."""
        open_at: dict[str, Sources] = {}
        stopped: dict[AssertionId, list[Region]] = {}
        for region in self.order:
            state = self.states[region]
            came = dict.fromkeys(self._hierarchy.assertions[region])
            for inner in self.inside[region]:
                came.update(open_at[inner])
            open_at[region] = {source: None for source in came if source not in state.proved}
            for source in came:
                if source in state.proved:
                    stopped.setdefault(source, []).append(state.region)
        return {source: by for source, by in stopped.items() if source not in open_at[self._hierarchy.root]}


class _Time:
    """How long the gamble may go on (`all`), its regions together (`for_regions`), and each single verification."""

    def __init__(self, budget: Budget, seconds: float | None, patience: Callable[[Any], float]) -> None:
        remaining = budget.remaining()
        self.all = budget
        self.for_regions = Budget(None if remaining is None else SHARE_OF_ALL * remaining)
        self._seconds = seconds
        self._patience = patience

    def limit(self) -> float | None:
        """How long a verification may take: not so long that there is no time for the rest."""
        remaining = self.all.remaining()
        limits = [limit for limit in (self._seconds, None if remaining is None else SHARE * remaining) if limit]
        return min(limits, default=None)

    def end_regions_after(self, answer: Any) -> None:
        """Let regions go on for a while when the whole program has been checked."""
        seconds = self._patience(answer) * max(LEAST_S, time.monotonic() - self.for_regions.started)
        remaining = self.for_regions.remaining()
        self.for_regions = Budget(seconds if remaining is None else min(seconds, remaining))


class Gamble:
    """One gamble, from the innermost regions to the whole program. `seconds` limits each single verification;
    `is_answer` says whether an end of the task of the whole program leaves nothing to be found out, and `patience` for
    how many times the time it took regions may go on: who was first should not say what is reported of them. `report`
    is called whenever there is something new that is proved."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        executor: Executor,
        task_of: TaskOf,
        budget: Budget,
        seconds: float | None = None,
        whole_of: WholeOf | None = None,
        is_answer: Callable[[Any], bool] = lambda value: True,
        report: Callable[[Gambled], None] = lambda gambled: None,
        patience: Callable[[Any], float] = lambda value: 0.0,
    ) -> None:
        self._hierarchy = hierarchy
        self._executor = executor
        self._task_of = task_of
        self._time = _Time(budget, seconds, patience)
        self._whole_of = whole_of
        self._is_answer = is_answer
        self._report = report
        self._regions = _Regions(hierarchy)
        self._running: dict[int, str] = {}
        self._whole_ticket: int | None = None
        self._partial: Any = None  # what a check of the whole program came to that leaves something to be found out
        self.gambled = Gambled()

    def run(self) -> Gambled:
        """Gamble until every region is done, the whole program has been checked meanwhile, or time is up. If that of
        the regions is, what they have proved by then counts."""
        self._advance()
        while self._running or self._whole_ticket is not None:
            if not self._running and self._whole_is_needed():
                break
            time_left = (self._time.for_regions if self._running else self._time.all).remaining()
            for ended in self._executor.ended(time_left):
                if ended.ticket == self._whole_ticket:
                    self._whole_ticket = None
                    if not ended.problem and self._is_answer(ended.value):
                        self.gambled.whole = ended.value
                        self._time.end_regions_after(ended.value)
                    else:
                        self._partial = ended.value
                else:
                    self._note(self._running.pop(ended.ticket), ended)
            if self._time.all.is_spent:
                self._cancel([*self._running, *([] if self._whole_ticket is None else [self._whole_ticket])])
                break
            if self._time.for_regions.is_spent:
                self._cancel(list(self._running))
                continue
            self._drop_useless()
            self._advance()
        return self._result()

    # --- one step ---------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Start what can start; regions with nothing to prove are done at once."""
        for region in self._regions.order:
            state = self._regions.states[region]
            is_open = region != self._hierarchy.root and not state.is_done
            if is_open and all(self._regions.states[inner].is_done for inner in self._regions.inside[region]):
                running = [ticket for ticket, name in self._running.items() if name == region]
                if running and state.is_early and self._regions.is_helped(state):
                    self._cancel(running)  # with less to prove it is quicker
                    running = []
                if not running:
                    self._arrive(state)
        for region in reversed(self._regions.order):  # outermost first: it answers most
            if self._executor.idle == 0:
                break
            if region == self._hierarchy.root:
                self._start_whole()
            else:
                self._start_early(self._regions.states[region])

    def _arrive(self, state: _State) -> None:
        """All regions inside are done: verify this one, unless that is done or can bring nothing new."""
        self._regions.collect(state)
        tried = state.tried or {}
        is_helped = state.is_early and self._regions.is_helped(state)
        state.is_early = False
        if state.left and (is_helped or any(source not in tried for source in state.left)):
            self._start(state)
        else:
            state.is_done = True

    def _start_early(self, state: _State) -> None:
        if state.is_done or state.tried is not None:
            return
        below = [s for region in self._regions.below(state.region.id) for s in self._regions.states[region].left]
        state.came.update(dict.fromkeys(below))
        if state.left:
            state.is_early = True
            self._start(state)

    def _start(self, state: _State) -> None:
        state.tried = dict.fromkeys(state.left)
        task = self._task_of(state.region, state.left, self._time.limit())
        self._running[self._executor.submit(task)] = state.region.id
        self.gambled.gambles += 1

    def _start_whole(self) -> None:
        if self._whole_of is not None:
            self._whole_ticket = self._executor.submit(self._whole_of([]))
            self._whole_of = None

    def _note(self, region: str, ended: Ended) -> None:
        state = self._regions.states[region]
        if ended.problem:
            self.gambled.problems.append(f"{state.region.name}: {ended.problem}")
            return
        answer: Answer = ended.value
        asked = state.tried or {}
        proved = [source for source in answer.proved if source in asked]
        state.proved.update(dict.fromkeys(proved))
        self.gambled.hits += bool(proved)
        if proved:
            self.gambled.proved = self._regions.proved()
            self._report(self.gambled)
        if answer.reason and len(proved) < len(asked):
            self.gambled.problems.append(f"{state.region.name}: {answer.reason}")
        for name, value in answer.stats.items():
            self.gambled.stats[name] = self.gambled.stats.get(name, 0) + value

    # --- what is useless --------------------------------------------------------------------------------------------

    def _drop_useless(self) -> None:
        """Cancel the verification of regions all of whose assertions are proved in all regions around them."""
        useless = []
        for ticket, region in self._running.items():
            parents = self._hierarchy.parents[region]
            if parents and all(
                s in self._regions.states[p].proved for s in self._regions.states[region].left for p in parents
            ):
                useless.append(ticket)
        for ticket in useless:
            self._regions.states[self._running[ticket]].is_done = True
        self._cancel(useless)

    def _cancel(self, tickets: Iterable[int]) -> None:
        for ticket in tickets:
            self._executor.cancel(ticket)
            if self._running.pop(ticket, None) is not None:
                self.gambled.cancelled += 1

    def _whole_is_needed(self) -> bool:
        """Whether the whole program is not being checked, now that no region is. A check of it that has more to prove
        than is left is given up."""
        if self._whole_ticket is not None and self._regions.proved():
            self._cancel([self._whole_ticket])
            self._whole_ticket = None
        return self._whole_ticket is None

    # --- the end ----------------------------------------------------------------------------------------------------

    def _result(self) -> Gambled:
        self.gambled.proved = self._regions.proved()
        if self.gambled.whole is None and not self.gambled.proved:
            self.gambled.whole = self._partial  # the same would come of it once more
        return self.gambled
