"""What the command `store` shows and does: the records of a store, without the programs that they are for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paddock.driver.answering import ANSWER
from paddock.driver.remembering import BUG, LEMMA, LOOKED_INTO, PROOF, opened_store
from paddock.driver.same_texts import RESULT
from paddock.ir.origin import Diagnostic, InputError
from paddock.store.database import FILE, Entry, Store


def existing(folder: str) -> Store:
    """The store in a folder that has one. Raises `InputError`."""
    if not (Path(folder) / FILE).exists():
        raise InputError(Diagnostic(f"there is no store in {folder}", hint="paddock check --store DIR makes one"))
    return opened_store(folder)


def shown(store: Store) -> Iterator[str]:
    """A line for each record, and one for all."""
    entries = store.entries()
    for entry in entries:
        yield f"{entry.kind} {entry.key[:8]}: {_about(store.read(entry.kind, entry.key), entry)}, {entry.size} bytes"
    yield f"{len(entries)} records, {sum(e.size for e in entries)} bytes"


def damaged(store: Store) -> Iterator[str]:
    """What is wrong with records, as far as that can be determined without their programs."""
    for entry in store.entries():
        if not _is_sound(store.read(entry.kind, entry.key), entry):
            yield f"{entry.kind} {entry.key[:8]} is damaged, and ignored by checks"
    yield from store.warnings


def _about(record: Any, entry: Entry) -> str:
    if not _is_sound(record, entry):
        return "damaged"
    if entry.kind == ANSWER:
        return f"a program is {record['value']['verdict']}"
    if entry.kind == LOOKED_INTO:
        value = record["value"]
        return f"a program is {value['verdict']}, by {len(value['procedures'])} of its procedures"
    if entry.kind == RESULT:
        return "the result of some texts"
    if entry.kind == LEMMA:
        return f"a body implies a condition by {len(record['value'])} of its callees"
    what = f"{record['entry']} of {', '.join(record['files']) or 'a program built in Python'}"
    if entry.kind == BUG:
        return f"{what}, {len(record['runs'])} runs"
    within = "" if record["bound"] is None else f" within recursion bound {record['bound']}"
    return f"{what}, summaries of {len(record['ensures'])} procedures{within}"


def _is_sound(record: Any, entry: Entry) -> bool:
    match record, entry.kind:
        case {"files": list(files), "entry": str(), "goal": str(), **rest}, kind if all(
            isinstance(name, str) for name in files
        ):
            return _is_proof(rest) if kind == PROOF else kind == BUG and isinstance(rest.get("runs"), list)
        case {"value": {"verdict": str()}, "seal": str()}, kind:
            return kind in (ANSWER, LOOKED_INTO)
        case {"value": [str(), str()], "seal": str()}, kind if kind == RESULT:
            return True
        case {"value": list(), "seal": str()}, kind:
            return kind == LEMMA
        case _:
            return False


def _is_proof(record: object) -> bool:
    match record:
        case {
            "bound": int() | None,
            "completed": int() | None,
            "cut": list(),
            "ensures": dict(ensured),
            "inlined": list(),
        }:
            return all(isinstance(conditions, list) for conditions in ensured.values())
        case _:
            return False
