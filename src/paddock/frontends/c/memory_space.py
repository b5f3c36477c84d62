"""Where objects lie: those with constant addresses one behind the other, then those that come to life at run time."""

from __future__ import annotations

from paddock.frozen import frozen

ALIGNMENT = 16  # of every object
ANY_LENGTH = 1 << 16  # bytes for an array that is declared without a length
FIRST_ADDRESS = 4096  # of objects; functions lie below, and 0 is null


@frozen
class Stretch:
    """Where objects lie: those with constant addresses from `constant` up, others from `run_time` up to `end`. There
    is nothing between `start` and the first one."""

    start: int
    constant: int
    run_time: int
    end: int


class Space:
    """Gives out constant addresses. Objects start at multiples of `spacing`."""

    def __init__(self, spacing: int, stretch: Stretch | None) -> None:
        self.spacing = spacing
        self.stretch = stretch
        self.start = self._next = max(FIRST_ADDRESS, spacing) if stretch is None else stretch.constant

    def place(self, size: int) -> int:
        """The address of a new object that lives at a constant one."""
        address = self._next
        self._next += max(1, -(-size // self.spacing)) * self.spacing
        return address

    def gap(self) -> int:
        """Leave room behind the last object with a constant address, so that what is just behind it is the start of no
        other; where the gap ends."""
        self._next += self.spacing
        return self._next

    @property
    def end_of_constant(self) -> int:
        """Where objects with constant addresses end."""
        return self._next

    @property
    def first_free(self) -> int:
        """Where objects begin that come to life at run time."""
        return self._next if self.stretch is None else max(self._next, self.stretch.run_time)
