"""Programs as bytes, for other processes and machines. Terms are written one after the other, each after its parts, so
that nothing recurses on how deep they are, and are read as the terms that they are."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from paddock.frozen import fields
from paddock.ir.expr import Attribute, Trigger
from paddock.ir.intern import Term


def packed(pieces: Mapping[str, object]) -> bytes:
    """Named pieces of a program as bytes."""
    out = io.BytesIO()
    pickler = _Pickler(out)
    roots = _Collector(io.BytesIO())
    roots.dump(pieces)
    terms = list(_parts_first(roots.found))
    pickler.dump(len(terms))
    for number, term in enumerate(terms):
        pickler.dump((type(term), _fields(term)))
        pickler.numbers[term] = number
    pickler.dump(pieces)
    return out.getvalue()


def unpacked(data: bytes) -> dict[str, Any]:
    """The pieces of a program that were packed."""
    unpickler = _Unpickler(io.BytesIO(data))
    for _ in range(unpickler.load()):
        kind, values = unpickler.load()
        unpickler.terms.append(kind(*values))
    pieces: dict[str, Any] = unpickler.load()
    return pieces


class _Collector(pickle.Pickler):
    """Finds the terms that pieces are made of, and does not look into them."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.found: dict[Term, None] = {}

    def persistent_id(self, obj: object) -> int | None:
        if not isinstance(obj, Term):
            return None
        self.found[obj] = None
        return 0


class _Pickler(pickle.Pickler):
    """Writes numbers for terms that have been written before."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.numbers: dict[Term, int] = {}

    def persistent_id(self, obj: object) -> int | None:
        return self.numbers[obj] if isinstance(obj, Term) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        self.terms: list[Term] = []

    def persistent_load(self, pid: int) -> Term:
        return self.terms[pid]


def _parts_first(roots: dict[Term, None]) -> Iterator[Term]:
    """Terms and all their parts, each once and after its own parts."""
    done: set[Term] = set()
    stack = [(term, False) for term in reversed(roots)]
    while stack:
        term, are_parts_done = stack.pop()
        if term in done:
            continue
        if are_parts_done:
            done.add(term)
            yield term
        else:
            stack.append((term, True))
            stack += [(part, False) for part in _terms_in(_fields(term)) if part not in done]


def _fields(term: Term) -> tuple[object, ...]:
    return tuple(getattr(term, f.name) for f in fields(term))  # type: ignore[arg-type]


def _terms_in(value: object) -> Iterator[Term]:
    """The terms that something is made of, but not their parts."""
    stack = [value]
    while stack:
        match stack.pop():
            case Term() as term:
                yield term
            case tuple() as values:
                stack += values
            case Attribute(params=values) | Trigger(terms=values):
                stack += values
            case _:
                pass
