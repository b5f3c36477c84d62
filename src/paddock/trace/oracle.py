"""Who decides what a program leaves to chance: the branch of a `goto`, the value of an arbitrary variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from fractions import Fraction
from typing import Protocol

from paddock.ir.expr import Var
from paddock.ir.types import INT, REAL, STRING, Bv, Float, Map, Type
from paddock.trace import floats
from paddock.trace.domains import Domains
from paddock.trace.values import DataValue, SortValue, Undecided, Value, map_of


class Why(Enum):
    """Why a variable is arbitrary."""

    INITIAL = "initial"  # a global before the program starts
    PARAMETER = "parameter"  # of the entry procedure
    UNINITIALISED = "uninitialised"  # a result or local when its procedure is entered
    HAVOC = "havoc"
    NO_BODY = "no body"  # a result or modified global of a procedure without a body


class Oracle(Protocol):
    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        """The target to jump to at the end of this block. To choose among several implementations of a
        procedure, the label is empty and the targets are `"0"`, `"1"`, …"""
        ...

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        """A value for a variable that becomes arbitrary in this procedure."""
        ...


class RandomOracle:
    """Chooses at random, the same for the same seed; numbers are small so that they often meet."""

    def __init__(self, domains: Domains, seed: int, largest: int = 3) -> None:
        self._domains = domains
        from random import Random  # which takes time to import

        self._random = Random(seed)
        self._largest = largest

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        return self._random.choice(targets)

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        return self.value_of(var.type)

    def value_of(self, type_: Type, nesting: int = 3) -> Value:
        """A random value; maps and data are nested no deeper than `nesting`, which bounds the recursion."""
        random, largest = self._random, self._largest
        match type_:
            case Bv(width):
                return random.choice((random.randint(0, largest), random.getrandbits(width))) % (1 << width)
            case Float():
                small = floats.from_fraction(Fraction(random.randint(-largest, largest), 2), "RNE", type_)
                return random.choice((small, floats.canonical(random.getrandbits(floats.width(type_)), type_)))
            case Map(domain, range_) if nesting > 0:
                default = self.value_of(range_, nesting - 1)
                entries = {
                    tuple(self.value_of(t, nesting - 1) for t in domain): self.value_of(range_, nesting - 1)
                    for _ in range(random.randint(0, largest))
                }
                return map_of(default, entries, self._domains.index_size(type_))
            case _ if self._domains.constructors(type_) and nesting > 0:
                constructor = random.choice(self._domains.constructors(type_))
                fields = tuple(self.value_of(f.var.type, nesting - 1) for f in constructor.fields)
                return DataValue(constructor, fields)
            case _ if type_ is INT:
                return random.randint(-largest, largest)
            case _ if type_ is REAL:
                return Fraction(random.randint(-largest, largest), random.randint(1, 2))
            case _ if type_ is STRING:
                return "".join(random.choices("ab", k=random.randint(0, largest)))
            case _:
                return self._other(type_)

    def _other(self, type_: Type) -> Value:
        size = self._domains.size(type_)
        if size is not None and size <= 1 << 16:
            return self._random.choice(self._domains.values(type_))
        first = self._domains.first(type_)
        if isinstance(first, SortValue):
            return SortValue(type_, self._random.randint(0, self._largest))
        return first


class RecordingOracle:
    """Asks another oracle and keeps the answers, for a `ScriptedOracle` to give again."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.choices: list[str] = []
        self.values: list[Value] = []

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        self.choices.append(self._inner.choose(procedure, label, targets))
        return self.choices[-1]

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        self.values.append(self._inner.value(procedure, var, why))
        return self.values[-1]


class ScriptedOracle:
    """Gives prepared answers, in order; `Undecided` when it has none left or the answer does not fit."""

    def __init__(self, choices: Iterable[str], values: Iterable[Value]) -> None:
        self._choices = iter(choices)
        self._values = iter(values)

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        choice = next(self._choices, None)
        if choice is None:
            raise Undecided(f"the script has no choice left for the end of block {label} of {procedure}")
        if choice not in targets:
            raise Undecided(f"the script wants to go from block {label} of {procedure} to {choice}, which is no target")
        return choice

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        value = next(self._values, None)
        if value is None:
            raise Undecided(f"the script has no value left for {var.name} in {procedure}")
        return value
