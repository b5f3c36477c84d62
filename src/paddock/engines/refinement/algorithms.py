"""Which globals must be tracked to rule out a spurious path (Corral, CAV 2012, §3.1, Fig. 4).

Each algorithm only asks `check`: is the path infeasible when just these globals are tracked? Tracking more never makes
an infeasible path feasible, so what follows from earlier answers is not asked again. All algorithms return a set that
suffices and of which nothing can be left out (Theorem 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paddock.ir.expr import Var

Check = Callable[[Sequence[Var]], bool]


class Checks:
    """Answers of `check` on one path, and their number; `correct` and `buggy` are the sets it was asked about."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self._correct: list[frozenset[Var]] = []
        self._buggy: list[frozenset[Var]] = []
        self.count = 0

    def __call__(self, tracked: Sequence[Var]) -> bool:
        asked = frozenset(tracked)
        if any(known <= asked for known in self._correct):
            return True
        if any(asked <= known for known in self._buggy):
            return False
        self.count += 1
        is_correct = self._check(tracked)
        (self._correct if is_correct else self._buggy).append(asked)
        return is_correct


def storm(check: Check, tracked: Sequence[Var], undecided: Sequence[Var]) -> list[Var]:
    """The refinement of STORM (Lahiri, Qadeer and Rakamarić, CAV 2009): leave out one variable after the other."""
    needed = list(undecided)
    for var in undecided:
        others = [v for v in needed if v is not var]
        if check([*tracked, *others]):
            needed = others
    return [*tracked, *needed]


def hrefine(check: Check, tracked: Sequence[Var], undecided: Sequence[Var]) -> list[Var]:
    """Algorithm 1, and with another `check` Algorithm 2 (`vcrefine`): divide and conquer.

    It is known that all of `tracked` and `undecided` together suffice: they are G - D of the paper. The depth of the
    recursion is logarithmic in their number.
    """
    if not undecided or check(tracked):
        return list(tracked)
    if len(undecided) == 1:
        return [*tracked, *undecided]
    half = len(undecided) // 2
    first, second = undecided[:half], undecided[half:]
    found = set(hrefine(check, [*tracked, *second], first))
    return hrefine(check, [*tracked, *(v for v in first if v in found)], second)
