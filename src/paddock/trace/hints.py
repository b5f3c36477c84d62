"""Decisions of a path as hints to a run that need not follow it: for each place, what is decided there, in order.

A path that does not follow some calls cannot say what happens in them, so a run loses step with it there. It is picked
up again at the next place that the path is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.frozen import field, mutable
from paddock.ir.expr import Var
from paddock.ir.types import Type
from paddock.trace.oracle import Why
from paddock.trace.values import Undecided, Value


@mutable
class Hints:
    """The targets of jumps by procedure and block, and arbitrary values by procedure, variable and reason."""

    choices: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    values: dict[tuple[str, str, Why], list[Value]] = field(default_factory=dict)

    def choice(self, procedure: str, label: str, target: str) -> None:
        self.choices.setdefault((procedure, label), []).append(target)

    def value(self, procedure: str, variable: str, why: Why, value: Value | None) -> None:
        if value is not None:
            self.values.setdefault((procedure, variable, why), []).append(value)


class HintedOracle:
    """Decides as hints say and, where there are none, for what comes last: that is the way out of a loop, usually."""

    def __init__(self, hints: Hints, default: Callable[[Type], Value]) -> None:
        self._choices = {place: iter(targets) for place, targets in hints.choices.items()}
        self._values = {place: iter(values) for place, values in hints.values.items()}
        self._default = default

    def choose(self, procedure: str, label: str, targets: Sequence[str]) -> str:
        target = next(self._choices.get((procedure, label), iter(())), None)
        return target if target is not None and target in targets else targets[-1]

    def value(self, procedure: str, var: Var, why: Why) -> Value:
        value = next(self._values.get((procedure, var.name, why), iter(())), None)
        try:
            return self._default(var.type) if value is None else value
        except Undecided:
            return 0  # a sort without values: nothing can read it
