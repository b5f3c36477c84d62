"""Hash-consing: two terms that are built alike are one object.

Equality of terms is therefore identity, hashing costs nothing, and a formula with shared parts is
stored once. The table of terms is weak, like `sys.intern`: it can be observed neither through a
result nor through memory that stays behind, so it is a cache and not state.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any

from paddock.frozen import fields

_Key = tuple[Any, ...]


class _Entry(weakref.ref[Any]):
    """A weak reference that knows the key it is filed under."""

    __slots__ = ("key",)
    key: _Key


_table: dict[_Key, _Entry] = {}
_lock = threading.RLock()


def _forget(entry: _Entry) -> None:
    # A new term may have been filed under the same key while the old one was dying.
    with _lock:
        if _table.get(entry.key) is entry:
            del _table[entry.key]


class Interned(type):
    """The metaclass of terms: calling a class returns the one object with these fields."""

    if not TYPE_CHECKING:  # type checkers should see the dataclass constructors instead

        def __call__(cls, *args, **named):
            if named:
                args += tuple(named[f.name] for f in fields(cls)[len(args) :])
            key = (cls, *args)
            entry = _table.get(key)
            if entry is not None:
                term = entry()
                if term is not None:
                    return term
            return cls._file(key)

    def _file(cls, key: _Key) -> Any:
        with _lock:
            entry = _table.get(key)
            term = entry() if entry is not None else None
            if term is None:
                term = type.__call__(cls, *key[1:])
                entry = _Entry(term, _forget)
                entry.key = key
                _table[key] = entry
            return term


class Term(metaclass=Interned):
    """What types and expressions have in common: frozen, slotted, one object per meaning."""

    __slots__ = ("__weakref__",)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Term:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]
