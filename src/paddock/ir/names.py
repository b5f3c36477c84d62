"""Fresh names, many at a time: for labels, locals and globals that a pass adds."""

from __future__ import annotations

from collections.abc import Iterable


class FreshNames:
    """Gives names that are not taken, and takes them: `base` itself if it is free, else `base#1`, `base#2`, …

    Like `ir.walk.fresh_name`, but it remembers how far it got with each base: naming the 100,000 pieces of
    a block after the block takes linear time.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def __call__(self, base: str) -> str:
        name = base
        while name in self._taken:
            number = self._last.get(base, 0) + 1
            self._last[base] = number
            name = f"{base}#{number}"
        self._taken.add(name)
        return name
