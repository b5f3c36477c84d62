"""Fresh names: for labels, locals and globals that a front end or a pass adds."""

from __future__ import annotations

from collections.abc import Iterable


class FreshNames:
    """Gives names that are not taken, and takes them: `base` itself if it is free, else `base#1`, `base#2`, …

    It remembers how far it got with each base: naming the 100,000 pieces of a block after the block takes linear time.
    Numbers start with `first`; if that is 2, `base` may be written with its number, 1.
    """

    def __init__(self, taken: Iterable[str] = (), *, separator: str = "#", first: int = 1) -> None:
        self._taken = set(taken)
        self._separator = separator
        self._first = first
        self._last: dict[str, int] = {}

    def __call__(self, base: str) -> str:
        name = base
        if name in self._taken:
            stem = base.removesuffix(f"{self._separator}{self._first - 1}") if self._first > 1 else base
            while name in self._taken:
                number = self._last[stem] = self._last.get(stem, self._first - 1) + 1
                name = f"{stem}{self._separator}{number}"
        self._taken.add(name)
        return name
