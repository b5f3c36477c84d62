"""What the pass `facts` knows at one point of a program: a value for each variable, and which are equal.

Variables that are equal, whatever their value, form a class, so that what is learnt about one is learnt
about all. Everything costs time in the number of variables that something is known about, at most.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from paddock.analysis.facts.values import (
    ANY_INTEGER,
    INFINITY,
    Interval,
    Value,
    excludes_zero,
    hull,
    is_constant,
    known,
    meet,
    truth,
)
from paddock.ir.build import FALSE
from paddock.ir.expr import Lit, Var
from paddock.ir.types import BOOL

Class = tuple[Var, ...]
LARGEST_CLASS = 8  # keeps the update of a class cheap; further equalities are not noticed
_EXACT_GROWTHS = 3  # how often a value may grow before its bounds jump to the program's constants
_GROWTHS = 6  # and before they jump to infinity


class State:
    """What is known. A variable without a value can have any; one without a class is in one of its own.

    A state is changed only while it is one's own: those kept for later are shared.
    """

    __slots__ = ("classes", "values")

    def __init__(self, values: dict[Var, Value] | None = None, classes: dict[Var, Class] | None = None) -> None:
        self.values: dict[Var, Value] = {} if values is None else values
        self.classes: dict[Var, Class] = {} if classes is None else classes

    def copy(self) -> State:
        return State(self.values.copy(), self.classes.copy())

    def says_the_same_as(self, other: State) -> bool:
        return self.values == other.values and self.classes == other.classes

    def class_of(self, var: Var) -> Class:
        return self.classes.get(var) or (var,)

    def are_equal(self, a: Var, b: Var) -> bool:
        return a is b or b in self.classes.get(a, ())

    # --- changes ---------------------------------------------------------------------------------

    def forget(self, var: Var) -> None:
        self.values.pop(var, None)
        if var in self.classes:
            rest = tuple(v for v in self.classes.pop(var) if v is not var)
            if len(rest) > 1:
                self.add_class(rest)
            else:
                del self.classes[rest[0]]

    def assign(self, var: Var, value: Value | None) -> bool:
        self.forget(var)
        if value is not None:
            self.values[var] = value
        return True

    def assign_variable(self, var: Var, source: Var) -> bool:
        """`var := source`."""
        if var is source:
            return True
        value = self.values.get(source)
        self.assign(var, value)
        members = self.class_of(source)
        # Constants that are the same are equal without a class.
        if len(members) < LARGEST_CLASS and not is_constant(value):
            self.add_class((*members, var))
        return True

    def add_class(self, members: Class) -> None:
        """Make these variables a class: they are equal and have the same values, and no other is in their classes."""
        for member in members:
            self.classes[member] = members

    def restrict(self, var: Var, value: Value) -> bool:
        """Learn that a variable has one of these values; False if it cannot have."""
        old = self.values.get(var)
        if old is value:
            return True
        new = value if old is None else meet(old, value)
        if new is None:
            return False
        if new is not old:
            self.values[var] = new
            if var in self.classes:
                self.values.update(dict.fromkeys(self.classes[var], new))
        return True

    def exclude(self, var: Var, value: Value) -> bool:
        """Learn that a variable is not this constant; False if it is."""
        old = self.values.get(var)
        if old == value:
            return False
        if isinstance(value, Lit):
            return var.type is not BOOL or self.restrict(var, truth(value is FALSE))
        lo, hi, nonzero = old if isinstance(old, Interval) else ANY_INTEGER
        if value.lo < lo or value.lo > hi or (nonzero and value.lo == 0):
            return True
        if value.lo == lo:
            lo += 1
        if value.lo == hi:
            hi -= 1
        rest = known(Interval(lo, hi, value.lo == 0 and lo < 0 < hi))
        return rest is None or self.restrict(var, rest)

    def equate(self, a: Var, b: Var) -> bool:
        """Learn that two variables are equal; False if they cannot be."""
        if self.are_equal(a, b):
            return True
        for x, y in ((a, b), (b, a)):
            value = self.values.get(y)
            if value is not None and not self.restrict(x, value):
                return False
        members = self.class_of(a) + self.class_of(b)
        if len(members) <= LARGEST_CLASS and not is_constant(self.values.get(a)):
            self.add_class(members)
        return True


# A change of a state with its two arguments. It gives False where no execution goes on; the state is void then.
Step = tuple[Callable[[State, Any, Any], bool], Any, Any]


def all_done(steps: Iterable[Step], state: State) -> bool:
    """Take the steps; whether an execution can get to their end."""
    for change, first, second in steps:  # noqa: SIM110 - the loop is hot
        if not change(state, first, second):
            return False
    return True


def add_step(steps: list[Step], step: Step) -> None:
    """Append a step, or join it with the last if both narrow down the same variable."""
    change, var, value = step
    if change is State.restrict and steps:
        last, last_var, last_value = steps[-1]
        if last is change and last_var is var:
            both = meet(last_value, value)
            if both is not None:
                steps[-1] = step if both is value else (change, var, both)
                return
    steps.append(step)


class Widening:
    """Counts how often values grow at one point of a cycle, and makes them grow faster so that it comes to an end."""

    def __init__(self, thresholds: Sequence[float]) -> None:
        self._thresholds = thresholds  # the constants of the program, sorted: likely bounds
        self._growths: dict[Var, int] = {}

    def __call__(self, var: Var, old: Value, new: Value) -> Value | None:
        """A value that covers `new`, which covers `old`."""
        growths = self._growths[var] = self._growths.get(var, 0) + 1
        if growths <= _EXACT_GROWTHS or not isinstance(old, Interval) or not isinstance(new, Interval):
            return new
        lo, hi = new.lo, new.hi
        thresholds = self._thresholds if growths <= _GROWTHS else ()
        if lo < old.lo:
            at = bisect_right(thresholds, lo)
            lo = thresholds[at - 1] if at > 0 else -INFINITY
        if hi > old.hi:
            at = bisect_left(thresholds, hi)
            hi = thresholds[at] if at < len(thresholds) else INFINITY
        return known(Interval(lo, hi, lo < 0 < hi and excludes_zero(new)))


# --- joining ---------------------------------------------------------------------------------------


def join(a: State, b: State, widening: Widening | None = None) -> State:
    """What holds in both states: `a` itself if that is all that `a` says. With a widening, what grows grows faster."""
    changes: dict[Var, Value | None] = {}
    constants: list[Var] = []  # of `a`, that are not what they are in `b`
    if not a.values.items() <= b.values.items():
        in_b = b.values.get
        for var, value in a.values.items():
            other = in_b(var)
            joined = value if other is value else hull(value, other)  # most are the same
            if joined is not value:
                if is_constant(value):
                    constants.append(var)
                changes[var] = joined if widening is None or joined is None else widening(var, value, joined)
    classes = a.classes
    if len(constants) > 1 or not classes.items() <= b.classes.items():
        classes = _joined_classes(a, b, constants)
        if classes == a.classes:
            classes = a.classes
    if not changes:
        return a if classes is a.classes else State(a.values, classes)
    values = {var: changes.get(var, value) for var, value in a.values.items()}
    return State({var: value for var, value in values.items() if value is not None}, classes)


def _joined_classes(a: State, b: State, constants: Iterable[Var]) -> dict[Var, Class]:
    """The variables that are equal in both states, because they are of one class or have the same constant."""
    in_b = b.classes.get
    result = {var: class_ for var, class_ in a.classes.items() if (c := in_b(var)) is class_ or c == class_}
    groups: dict[tuple[Class | Value, Class | Value], list[Var]] = {}
    for var in dict.fromkeys((*a.classes, *constants)):
        if var not in result:
            value, other_value = a.values.get(var), b.values.get(var)
            one = value if is_constant(value) else a.classes.get(var)
            other = other_value if is_constant(other_value) else b.classes.get(var)
            if one is not None and other is not None and one != other:
                groups.setdefault((one, other), []).append(var)
    for members in groups.values():
        if len(members) > 1:
            first = a.classes.get(members[0], ())
            # One object for what stays the same makes comparing states cheap.
            same = len(first) == len(members) and all(member in first for member in members)
            class_ = first if same else tuple(members[:LARGEST_CLASS])
            result.update(dict.fromkeys(class_, class_))
    return result
