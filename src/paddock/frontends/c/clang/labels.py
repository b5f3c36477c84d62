"""The labels of a function: a name for each, also where several blocks have their own of one name (`__label__`), and a
number for each whose address is taken (`&&label`)."""

from __future__ import annotations

from paddock.frontends.c.clang.library import Cursor


class Labels:
    """The labels of the function that is being read."""

    def __init__(self) -> None:
        # The numbers of labels whose addresses are taken; jumps to addresses share it, as there may be more to come.
        self.taken: dict[str, int] = {}
        self._names: dict[int | None, str] = {}  # by clang's statements

    def name(self, label: Cursor, written: str) -> str:
        """A name that no other label of the function has."""
        if label.second not in self._names:
            used = set(self._names.values())
            unique, number = written, 1
            while unique in used:
                number += 1
                unique = f"{written}${number}"
            self._names[label.second] = unique
        return self._names[label.second]

    def number(self, name: str) -> int:
        """The number that stands for the address of a label."""
        return self.taken.setdefault(name, len(self.taken) + 1)
