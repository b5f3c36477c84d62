"""The switches of threads that matter, found while threads are executed.

A step between two `yield`s that conflicts with no step of another thread commutes with all of them, so its thread need
not be switched before it (Lipton, Reduction: a method of proving properties of parallel programs, CACM 1975). At first
no switch matters, and each that is passed over is noted together with the places that depend on it:

- those that the step after it accesses, and
- those that were written since the thread could be switched last: it may never come to where it can be switched next.

The end of a thread conflicts with the steps that wait for it, as long as it is not known to have ended.
Two accesses of threads to one place conflict if one of them writes, unless the threads hold a lock in common
(Savage and others, Eraser, TOCS 1997) or the start or the join of a thread orders them. A switch that a place with
conflicting accesses depends on matters: the threads are executed again, with that switch. What is found out at last
was found with all switches that matter, so that it holds of all schedules, and nothing is assumed. The contexts of a
thread do not become more if its steps are moved to the end of its context before.

A *lock* is any place that a thread changes from zero to something else, and that no thread changes otherwise that has
not done so: a mutex is one, and so is a variable of the user's.
"""

from __future__ import annotations

from paddock.engines.symbolic.accesses import NOTHING, Accesses, Anything, Place
from paddock.frozen import field, frozen, mutable, replace

Point = tuple[object, ...]  # where a thread may be switched: activations, and where they are
_MOST_RESTARTS = 100


@frozen
class Step:
    """What a thread has done since it could be switched, or passed over a switch: which one, and the places that it has
    written. And since it began: the locks that it has, and the threads that it has waited for."""

    passed: frozenset[Point] = frozenset()
    written: Anything = NOTHING
    held: Anything = NOTHING
    joined: frozenset[int] = frozenset()
    commits: bool = False  # what others see although it is no place: it has started a thread, or ends
    is_beside: bool = False  # others: one has been started
    changed: Anything = NOTHING  # in this turn

    def merged(self, other: Step) -> Step:
        """What holds on either of two paths."""
        if self is other:
            return self
        return Step(
            self.passed | other.passed,
            self.written | other.written,
            self.held & other.held,
            self.joined & other.joined,
            self.commits or other.commits,
            self.is_beside or other.is_beside,
            self.changed | other.changed,
        )

    def switched(self) -> Step:
        """After a switch."""
        return Step(held=self.held, joined=self.joined, is_beside=self.is_beside, changed=self.changed)


FIRST = Step()
STARTED = Step(is_beside=True)  # of a thread that another has started


@frozen(eq=False)
class Lineage:
    """A thread: which child it is of which other."""

    parent: Lineage | None
    number: int

    def child_above(self, other: Lineage) -> Lineage | None:
        """Which child of this thread another descends from, if it does."""
        at: Lineage | None = other
        while at is not None and at.parent is not self:
            at = at.parent
        return at


@frozen
class Accessed:
    """An access that was executed: by whom, with which locks, after it had started so many threads and had waited for
    some of them."""

    thread: Lineage
    writes: bool
    held: Anything
    started: int
    joined: frozenset[int]

    def conflicts(self, other: Accessed) -> bool:
        if self.thread is other.thread or not (self.writes or other.writes):
            return False
        return self.held.isdisjoint(other.held) and not (self._is_apart(other) or other._is_apart(self))

    def _is_apart(self, other: Accessed) -> bool:
        """Whether this comes before the other thread starts, or after it has ended."""
        child = self.thread.child_above(other.thread)
        if child is None:
            return False
        return child.number >= self.started or (child is other.thread and child.number in self.joined)


@mutable
class Switches:
    """What is known of the switches of a program; it outlives executions."""

    accesses: Accesses
    needed: set[Point] = field(default_factory=set)
    broken: set[Place] = field(default_factory=set)  # places that are no locks
    has_news: bool = False  # that make another execution necessary
    all_matter: bool = False
    _noisy: set[Place] = field(default_factory=set)
    _accessed: dict[object, dict[Place, set[Accessed]]] = field(default_factory=dict)
    _depending: dict[Place, set[Point]] = field(default_factory=dict)
    _restarts: int = 0
    _locks: set[Place] = field(default_factory=set)  # that were held

    def __post_init__(self) -> None:
        # What a variable was when a procedure started is read there.
        self.all_matter = self.accesses.uses_old

    def restart(self) -> None:
        """Another execution is necessary. After many, all switches matter."""
        self._restarts += 1
        self.all_matter |= self._restarts > _MOST_RESTARTS

    def begin(self) -> None:
        """Forget what was seen in the last execution."""
        self.has_news = False
        self._noisy, self._locks = set(), set()
        self._accessed, self._depending = {}, {}

    def matters(self, point: Point) -> bool:
        return self.all_matter or point in self.needed

    def pass_over(self, step: Step, point: Point) -> Step:
        """Pass over a switch. What was written before depends on this one; if it matters, not on later ones."""
        for place in step.written:
            self._depend(place, point)
        if step.commits:
            self._need(point)
        return replace(step.switched(), passed=frozenset((point,)))

    def wait(self, step: Step) -> None:
        """A step waits for the end of another thread, which it cannot come before: the switch before it matters."""
        for point in step.passed:
            self._need(point)

    def note(self, place: Place, accessed: Accessed, step: Step) -> None:
        """Take note of an access."""
        for point in step.passed:
            self._depend(place, point)
        self._locks |= accessed.held
        of_variable = self._accessed.setdefault(place[0], {})
        here = of_variable.setdefault(place, set())
        if accessed in here:
            return
        here.add(accessed)
        others = of_variable if place[1] is None else (place, (place[0], None))
        for other in others:
            if any(accessed.conflicts(known) for known in of_variable.get(other, ())):
                self._conflict(place)
                self._conflict(other)

    def no_lock(self, place: Place) -> None:
        """A place was changed by a thread that need not have had it."""
        if place not in self.broken:
            self.broken.add(place)
            self.has_news |= place in self._locks or place[1] is None

    def is_broken(self, place: Place) -> bool:
        return place in self.broken or (place[0], None) in self.broken

    def _depend(self, place: Place, point: Point) -> None:
        if place in self._noisy:
            self._need(point)
        else:
            self._depending.setdefault(place, set()).add(point)

    def _conflict(self, place: Place) -> None:
        self._noisy.add(place)
        for point in self._depending.pop(place, ()):
            self._need(point)

    def _need(self, point: Point) -> None:
        if point not in self.needed:
            self.needed.add(point)
            self.has_news = True
