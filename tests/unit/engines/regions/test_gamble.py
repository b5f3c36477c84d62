"""Which regions are tried for which assertions, in which order, and what comes of it; without any solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from paddock.engines.outcome import Budget
from paddock.engines.regions.gamble import Gamble, Gambled
from paddock.engines.regions.tree import Hierarchy, Region
from paddock.engines.regions.verify import Answer
from paddock.ir.origin import Origin
from paddock.workers.interface import Ended, Task
from tests.unit.engines.regions.test_tree import hierarchy

NESTED = """
procedure main() {
  var i: int;
  while (i < 9) {
    while (i < 8) {
      assert i != 1;
      assert i != 2;
      i := i + 1;
    }
    assert i != 3;
    call P(i);
  }
  call P(i);
}
procedure P(n: int) {
  assert n != 4;
}
"""
INNER, OUTER = "main:5", "main:4"
ANSWER, NO_ANSWER = 42, 0  # what a check of the whole program may come to


@dataclass
class Script:
    """An executor that does one task after the other when it is asked, but has room for several."""

    jobs: int = 1
    waiting: dict[int, Task] = field(default_factory=dict)
    cancelled: list[int] = field(default_factory=list)
    count: int = 0

    @property
    def idle(self) -> int:
        return max(0, self.jobs - len(self.waiting))

    def submit(self, task: Task) -> int:
        self.waiting[self.count] = task
        self.count += 1
        return self.count - 1

    def cancel(self, ticket: int) -> None:
        self.waiting.pop(ticket, None)
        self.cancelled.append(ticket)

    def ended(self, timeout: float | None = None) -> list[Ended]:
        if not self.waiting:
            return []
        ticket = min(self.waiting)
        task = self.waiting.pop(ticket)
        value = task.function(*task.arguments)
        return [Ended(ticket, problem=value) if isinstance(value, str) else Ended(ticket, value)]

    def close(self) -> None:
        self.waiting.clear()

    def __enter__(self) -> Script:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OuterFirst(Script):
    """One gamble where the outer loop comes first."""

    def ended(self, timeout: float | None = None) -> list[Ended]:
        for ticket in [t for t, task in self.waiting.items() if task.arguments[0].id == OUTER]:
            task = self.waiting.pop(ticket)
            return [Ended(ticket, task.function(*task.arguments))]
        return super().ended(timeout)


Proves = dict[str, set[int]]  # by region, the lines of the assertions that hold there


def lines(sources: Sequence[Origin]) -> list[int]:
    return sorted(source.line for source in sources)


def gamble(
    proves: Proves,
    executor: Script | None = None,
    whole: Callable[[], Any] | None = None,
    text: str = NESTED,
    problems: dict[str, str] | None = None,
    budget: Budget | None = None,
    patience: float = 0.0,
) -> tuple[list[tuple[str, list[int]]], Gambled, Hierarchy]:
    tried: list[tuple[str, list[int]]] = []

    def answer(region: Region, sources: Sequence[Origin]) -> Answer | str:
        tried.append((region.id, lines(sources)))
        if problems and region.id in problems:
            return problems[region.id]
        return Answer(tuple(s for s in sources if s.line in proves.get(region.id, ())))

    def task_of(region: Region, sources: Sequence[Origin], seconds: float | None) -> Task:
        return Task(answer, (region, list(sources)), seconds)

    def whole_of(known: Sequence[Origin]) -> Task:
        assert whole is not None
        return Task(whole)

    h = hierarchy(text)
    gambled = Gamble(
        h,
        executor or Script(),
        task_of,
        budget or Budget(),
        None,
        whole_of if whole else None,
        lambda value: bool(value == ANSWER),
        patience=lambda value: patience,
    ).run()
    return tried, gambled, h


def proofs(gambled: Gambled) -> dict[int, list[str]]:
    return {source.line: [r.id for r in regions] for source, regions in sorted(gambled.proved.items(), key=str)}


def test_innermost_first_and_only_what_is_missed_goes_on() -> None:
    tried, gambled, _ = gamble({INNER: {6}, OUTER: {7, 10}, "P": {16}})
    assert tried == [("P", [16]), (INNER, [6, 7]), (OUTER, [7, 10])]
    assert proofs(gambled) == {6: [INNER], 7: [OUTER], 10: [OUTER], 16: ["P"]}
    assert (gambled.gambles, gambled.hits) == (3, 3)


def test_a_procedure_must_be_fine_wherever_it_is_called() -> None:
    tried, gambled, _ = gamble({INNER: {6, 7}, OUTER: {10, 16}})
    assert tried == [("P", [16]), (INNER, [6, 7]), (OUTER, [10, 16])]
    assert proofs(gambled) == {6: [INNER], 7: [INNER], 10: [OUTER]}  # it is called after the loop, too


def test_a_region_with_nothing_to_prove_is_not_tried() -> None:
    tried, gambled, _ = gamble({INNER: {6, 7}, "P": {16}}, text=NESTED.replace("    assert i != 3;\n", "\n"))
    assert [region for region, _ in tried] == ["P", INNER]
    assert set(proofs(gambled)) == {6, 7, 16}


def test_a_problem_is_a_miss_and_told() -> None:
    tried, gambled, _ = gamble({OUTER: {6, 7}}, problems={INNER: "the worker went away"})
    assert (OUTER, [6, 7, 10, 16]) in tried
    assert gambled.problems == ["loop at <text>:5:5: the worker went away"]
    assert set(proofs(gambled)) == {6, 7}


def test_who_has_nothing_to_do_tries_regions_around_early() -> None:
    tried, gambled, _ = gamble({INNER: {6}, OUTER: {10}}, OuterFirst(jobs=3))
    # Once before and once after what is inside has proved something, and no more.
    assert tried == [(OUTER, [6, 7, 10, 16]), ("P", [16]), (INNER, [6, 7]), (OUTER, [7, 16])]
    assert set(proofs(gambled)) == {6, 10}


def test_an_early_try_that_is_overtaken_is_dropped() -> None:
    class OuterLast(Script):
        def ended(self, timeout: float | None = None) -> list[Ended]:
            others = [t for t, task in self.waiting.items() if task.arguments[0].id != OUTER]
            if not others:
                return super().ended(timeout)
            task = self.waiting.pop(others[0])
            return [Ended(others[0], task.function(*task.arguments))]

    tried, gambled, _ = gamble({INNER: {6}, OUTER: {7, 10}}, OuterLast(jobs=3))
    assert tried == [("P", [16]), (INNER, [6, 7]), (OUTER, [7, 10, 16])]
    assert gambled.cancelled == 1 and set(proofs(gambled)) == {6, 7, 10}


def test_no_second_try_without_anything_new() -> None:
    tried, _, _ = gamble({}, Script(jobs=3))
    assert tried == [("P", [16]), (INNER, [6, 7]), (OUTER, [6, 7, 10, 16])]


def test_what_a_region_around_has_proved_is_not_tried_inside() -> None:
    executor = OuterFirst(jobs=3)
    tried, gambled, _ = gamble({OUTER: {6, 7, 10, 16}, "P": {16}}, executor)
    assert tried == [(OUTER, [6, 7, 10, 16]), ("P", [16])]
    assert gambled.cancelled == 1 and len(executor.cancelled) == 1
    assert proofs(gambled) == {6: [OUTER], 7: [OUTER], 10: [OUTER], 16: ["P"]}


class WholeFirst(Script):
    """One gamble where the whole program comes first."""

    def ended(self, timeout: float | None = None) -> list[Ended]:
        for ticket in [t for t, task in self.waiting.items() if not task.arguments]:
            return [Ended(ticket, self.waiting.pop(ticket).function())]
        return super().ended(timeout)


def test_what_regions_prove_does_not_depend_on_who_is_first() -> None:
    proves = {INNER: {6}, OUTER: {7, 10}, "P": {16}}
    by_regions = proofs(gamble(proves)[1])
    for jobs in (3, 9):
        _, gambled, _ = gamble(proves, WholeFirst(jobs), whole=lambda: ANSWER, patience=1000.0)
        assert gambled.whole == ANSWER and proofs(gambled) == by_regions


def test_an_answer_for_the_whole_program_ends_all() -> None:
    executor = WholeFirst(jobs=3)
    tried, gambled, _ = gamble({}, executor, whole=lambda: ANSWER)
    assert (tried, gambled.whole) == ([], ANSWER)
    assert not executor.waiting and gambled.cancelled == 2


def test_no_answer_for_the_whole_program_ends_nothing() -> None:
    tried, gambled, _ = gamble({INNER: {6}}, Script(jobs=9), whole=lambda: NO_ANSWER)
    assert gambled.whole is None
    assert {region for region, _ in tried} == {"P", INNER, OUTER}
    assert set(proofs(gambled)) == {6}


def test_regions_leave_time_for_the_whole_program() -> None:
    class Endless(Script):
        """The task of one region ends, the others never do."""

        has_ended = False

        def ended(self, timeout: float | None = None) -> list[Ended]:
            if self.has_ended:
                assert timeout is not None
                time.sleep(timeout)
                return []
            self.has_ended = True
            return super().ended(timeout)

    budget = Budget(2)
    executor = Endless()
    tried, gambled, _ = gamble({"P": {16}}, executor, budget=budget)
    assert [region for region, _ in tried] == ["P"] and proofs(gambled) == {16: ["P"]}
    assert not budget.is_spent
    assert gambled.cancelled == 1 and not executor.waiting


def test_no_answer_for_the_whole_program_is_not_looked_for_twice() -> None:
    _, gambled, _ = gamble({}, Script(jobs=9), whole=lambda: NO_ANSWER)
    assert gambled.whole == NO_ANSWER
    _, gambled, _ = gamble({}, Script(jobs=9), whole=lambda: "a problem")
    assert gambled.whole is None


def test_a_check_of_the_whole_program_with_less_left_to_prove_is_dropped() -> None:
    class WholeLast(Script):
        def ended(self, timeout: float | None = None) -> list[Ended]:
            regions = [t for t, task in self.waiting.items() if task.arguments]
            if not regions:
                return super().ended(timeout)
            task = self.waiting.pop(regions[0])
            return [Ended(regions[0], task.function(*task.arguments))]

    _, gambled, _ = gamble({INNER: {6}}, WholeLast(jobs=9), whole=lambda: ANSWER)
    assert gambled.whole is None
    _, gambled, _ = gamble({}, WholeLast(jobs=9), whole=lambda: ANSWER)
    assert gambled.whole == ANSWER


def test_no_time() -> None:
    h = hierarchy(NESTED)
    executor = Script()
    budget = Budget(timeout=0.0)
    gambled = Gamble(h, executor, lambda *_: Task(Answer), budget).run()
    assert gambled.proved == {} and not executor.waiting


def test_the_time_for_a_region_is_a_share_of_what_is_left() -> None:
    seconds: list[float | None] = []

    def task_of(region: Region, sources: Sequence[Origin], limit: float | None) -> Task:
        seconds.append(limit)
        return Task(Answer)

    for budget, limit in ((Budget(), None), (Budget(), 3.0), (Budget(100.0), 3.0), (Budget(100.0), 80.0)):
        Gamble(hierarchy(NESTED), Script(), task_of, budget, limit).run()
    first_of_each = seconds[::3]
    assert first_of_each[:3] == [None, 3.0, 3.0]
    assert first_of_each[3] is not None and 20 < first_of_each[3] <= 25
