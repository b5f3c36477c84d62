"""Maps of which some elements are known: what a memory holds after stores to places that are known.

A store makes a new map. It shares what it can with the old one: a map is a few layers, each at least twice as large as
the next, so that n stores one after the other take n log n steps.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

Index = tuple[Hashable, ...]


class KnownMap:
    """A map; None stands for an element that is not known. Two maps are equal only if they are the same."""

    __slots__ = ("_default", "_layers")

    def __init__(self, default: Hashable | None, layers: tuple[Mapping[Index, Hashable | None], ...] = ()) -> None:
        self._default: Final = default
        self._layers: Final = layers

    def element(self, index: Index) -> Hashable | None:
        """The element at an index."""
        for layer in reversed(self._layers):
            if index in layer:
                return layer[index]
        return self._default

    def stored(self, index: Index, value: Hashable | None) -> KnownMap:
        """The map with another element at an index."""
        layers, top = list(self._layers), {index: value}
        while layers and len(layers[-1]) < 2 * len(top):
            top = {**layers.pop(), **top}
        return KnownMap(self._default, (*layers, top))

    def common(self, other: KnownMap) -> KnownMap:
        """What two maps agree on."""
        default = self._default if self._default == other._default else None
        indices = {index: None for each in (self, other) for layer in each._layers for index in layer}
        both = {index: (self.element(index), other.element(index)) for index in indices}
        return KnownMap(default, ({index: a if a == b else None for index, (a, b) in both.items()},))
