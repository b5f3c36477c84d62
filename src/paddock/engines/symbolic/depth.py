"""How deep an execution goes, and how long it may take."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frozen import mutable
from paddock.ir.origin import Origin


class Spent(Exception):
    """There is no time left."""


class TooLarge(Exception):
    """There are too many visits of blocks."""


@mutable
class Depth:
    """How deep to go: how often a procedure may be on the stack, how often a loop's head may be visited (but for loops
    that end by themselves), and how many blocks may be visited at all."""

    activations: Callable[[str], int]
    iterations: Callable[[Origin], int]
    constant_loops: bool
    visits: int
    keeps_to_its_bound: Callable[[Origin], bool]  # of a loop, whether it must not run to its end by itself


class Effort:
    """Counts the visits of blocks. Raises `TooLarge` and `Spent`."""

    def __init__(self, most: int, is_spent: Callable[[], bool]) -> None:
        self.visits = 0
        self._most = most
        self._is_spent = is_spent

    def visit(self) -> None:
        self.visits += 1
        if self.visits > self._most:
            raise TooLarge
        if self._is_spent():
            raise Spent
