"""Whatever is in a store, verdicts are those without it."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import paddock
from paddock import Options, Verdict
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.store.database import FILE
from tests.property.examples import examples
from tests.property.executable_programs import Shape, executable_programs, random_executable

SHAPE = Shape(fails=0.2)


def verdict(text: str, **chosen: Any) -> tuple[Verdict, list[Verdict]]:
    result = paddock.check(load([Source(text, "program.bpl")]), Options.of(**chosen))
    assert not any("Traceback" in warning for warning in result.warnings)
    return result.verdict, [a.verdict for a in result.assertions] if result.all_assertions else []


def edited(text: str, chance: Random) -> str:
    """The text with one number changed."""
    places = [n for n, c in enumerate(text) if c in "0123" and not text[n - 1].isalnum() and not text[n + 1].isalnum()]
    if not places:
        return text
    place = chance.choice(places)
    return text[:place] + chance.choice("0123") + text[place + 1 :]


def spoiled(data: Any, chance: Random) -> Any:
    """JSON data with something else somewhere."""
    match data:
        case dict() if data and chance.random() < 0.9:
            key = chance.choice(sorted(data))
            return {**data, key: spoiled(data[key], chance)}
        case list() if data and chance.random() < 0.9:
            n = chance.randrange(len(data))
            other = [spoiled(data[n], chance)] if chance.random() < 0.8 else []
            return [*data[:n], *other, *data[n + 1 :]]
        case _:
            return chance.choice([None, True, 0, 1, -1, 7, "", "x", "g", "&&", [], {}, [["bool", False]], 10**30])


@examples(8, 300)
@given(executable_programs(SHAPE), st.randoms(use_true_random=False), st.booleans(), st.integers(1, 4))
def test_verdicts_with_the_store_of_another_version_are_the_same(
    text: str, chance: Random, all_assertions: bool, bound: int
) -> None:
    asked = {"recursion_bound": bound, "all_assertions": all_assertions}
    with tempfile.TemporaryDirectory() as folder:
        version = text
        for number in range(3):
            expected, of_each = verdict(version, **asked)
            for _ in range(2):
                found, found_of_each = verdict(version, store=folder, **asked)
                if not number:  # nothing is known of another version yet
                    assert (found, found_of_each) == (expected, of_each)
                _compare(expected, found)
                for a, b in zip(of_each, found_of_each, strict=True):
                    _compare(a, b)
            version = edited(version, chance)


def _compare(expected: Verdict, found: Verdict) -> None:
    # What summaries of an earlier version prove for every bound, a search need not, and the other way round.
    same = {Verdict.PROVED: Verdict.BOUNDED}
    assert same.get(expected, expected) is same.get(found, found)


@examples(8, 400)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_verdicts_with_a_spoiled_store_are_the_same(seed: int, chance: Random) -> None:
    text, other = (random_executable(Random(seed + n), SHAPE) for n in range(2))
    expected, _ = verdict(text, recursion_bound=3)
    with tempfile.TemporaryDirectory() as folder:
        verdict(text, store=folder, recursion_bound=3)
        verdict(other, store=folder, recursion_bound=4)
        for _ in range(3):
            with sqlite3.connect(Path(folder) / FILE) as database:
                rows = database.execute("SELECT kind, key, value FROM records").fetchall()
                values = [value for _, _, value in rows]
                for kind, key, value in rows:
                    mixed = json.loads(chance.choice(values) if chance.random() < 0.3 else value)
                    new = json.dumps(spoiled(mixed, chance))
                    database.execute("UPDATE records SET value = ? WHERE kind = ? AND key = ?", (new, kind, key))
            database.close()
            found, _ = verdict(text, store=folder, recursion_bound=3)
            _compare(expected, found)
