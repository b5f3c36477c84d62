"""Maps of which some elements are known: what a memory holds after stores to places that are known.

A store makes a new map. It shares what it can with the old one: a map is a few layers, each at least twice as large as
the next, so that n stores one after the other take n log n steps. What is not stored is computed where it is read, as
`(lambda a: int :: if a < 10 then 0 else m[a])` says it, from the maps before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final

Index = tuple[Hashable, ...]
Element = Hashable | None  # None: it is not known

DEEPEST = 25  # maps that are computed from one another; those below are kept as far as they were stored


class KnownMap:
    """A map; elements that were not stored are `default`, or what `computed` gives, from the maps `inner`. Two maps are
    equal only if they are the same."""

    __slots__ = ("_computed", "_default", "_depth", "_inner", "_layers")

    def __init__(
        self,
        default: Element = None,
        layers: tuple[Mapping[Index, Element], ...] = (),
        computed: Callable[[Index], Element] | None = None,
        inner: Sequence[KnownMap] = (),
    ) -> None:
        self._default: Final = default
        self._layers: Final = layers
        self._computed: Final = computed
        self._inner: Final = inner
        self._depth: Final[int] = 1 + max((map_._depth for map_ in inner), default=0)

    def element(self, index: Index) -> Element:
        """The element at an index."""
        for layer in reversed(self._layers):
            if index in layer:
                return layer[index]
        return self._default if self._computed is None else self._computed(index)

    def stored(self, index: Index, value: Element) -> KnownMap:
        """The map with another element at an index."""
        layers, top = list(self._layers), {index: value}
        while layers and len(layers[-1]) < 2 * len(top):
            top = {**layers.pop(), **top}
        return KnownMap(self._default, (*layers, top), self._computed, self._inner)

    def common(self, other: KnownMap) -> KnownMap:
        """What two maps agree on."""
        if self._computed is not other._computed or self._default != other._default:
            return KnownMap(computed=lambda index: self._agreed(other, index), inner=(self, other)).shallow()
        indices = {index: None for each in (self, other) for layer in each._layers for index in layer}
        layer = {index: self._agreed(other, index) for index in indices}
        return KnownMap(self._default, (layer,), self._computed, self._inner)

    def _agreed(self, other: KnownMap, index: Index) -> Element:
        element = self.element(index)
        return element if element == other.element(index) else None

    def shallow(self) -> KnownMap:
        """The map itself, or what was stored if it is computed from too many others."""
        if self._depth <= DEEPEST:
            return self
        return KnownMap(None, ({index: self.element(index) for index in self._stored()},))

    def _stored(self) -> Iterator[Index]:
        """All indices at which something was stored, here or in a map below."""
        maps = {id(self): self}
        waiting = [self]
        while waiting:
            map_ = waiting.pop()
            for layer in map_._layers:
                yield from layer
            for inner in map_._inner:
                if id(inner) not in maps:
                    maps[id(inner)] = inner
                    waiting.append(inner)
