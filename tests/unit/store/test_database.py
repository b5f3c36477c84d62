"""Stores of records: several writers, damage, and a limit of size."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from paddock.store.database import FILE, Store


def test_records_are_there_for_the_next_process(tmp_path: Path) -> None:
    Store(tmp_path / "new" / "folder").write("proof", "a", {"x": [1, None, "ü"]})
    store = Store(tmp_path / "new" / "folder")
    assert store.read("proof", "a") == {"x": [1, None, "ü"]}
    assert store.read("bug", "a") is None
    store.write("proof", "a", 2)
    assert store.read("proof", "a") == 2
    store.remove("proof", "a")
    assert store.entries() == []
    assert store.warnings == []


def test_what_has_not_been_written_for_longest_goes_first(tmp_path: Path) -> None:
    store = Store(tmp_path, most_bytes=100)
    for key in "abcd":
        store.write("proof", key, key * 30)
    assert [e.key for e in store.entries()] == ["b", "c", "d"]
    store.write("proof", "b", "b" * 30)
    store.write("proof", "e", "e" * 30)
    assert [e.key for e in store.entries()] == ["b", "d", "e"]
    store.write("proof", "large", "x" * 200)
    assert store.read("proof", "large") is None


@pytest.mark.parametrize("damage", [b"", b"garbage", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_store_is_begun_anew(tmp_path: Path, damage: bytes) -> None:
    Store(tmp_path).write("proof", "a", 1)
    (tmp_path / FILE).write_bytes(damage)
    store = Store(tmp_path)
    assert store.read("proof", "a") is None
    store.write("proof", "a", 2)
    assert Store(tmp_path).read("proof", "a") == 2


def test_a_truncated_store_is_no_harm_wherever_it_ends(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for key in "abc":
        store.write("proof", key, key * 3000)
    whole = (tmp_path / FILE).read_bytes()
    for size in range(0, len(whole), len(whole) // 23):
        (tmp_path / FILE).write_bytes(whole[:size])
        cut = Store(tmp_path)
        # SQLite may take what is left of one record for another: whoever reads must not believe it.
        assert cut.read("proof", "b") in (None, *("abc"[n] * 3000 for n in range(3)))
        cut.write("proof", "d", 1)
        cut.clear()
        Store(tmp_path).write("proof", "d", 1)
        assert Store(tmp_path).read("proof", "d") == 1


def test_damaged_records_are_ignored_with_a_warning(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write("proof", "a", 1)
    store.write("proof", "b", 2)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE records SET value = '{\"x' WHERE key = 'a'")
        database.execute("UPDATE records SET value = x'00ff' WHERE key = 'b'")
    assert store.read("proof", "a") is None
    assert store.read("proof", "b") is None
    assert len(store.warnings) == 2
    assert "is damaged, and ignored" in store.warnings[0]


def test_a_database_of_another_shape_is_ignored(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE TABLE records (something INTEGER)")
    store = Store(tmp_path)
    assert store.read("proof", "a") is None
    store.write("proof", "a", 1)
    assert store.entries() == []
    assert store.warnings


def _write_many(folder: str, name: str) -> None:
    store = Store(Path(folder))
    for n in range(30):
        store.write("proof", f"{name}{n}", {"n": n, "text": name * 100})
    assert store.warnings == []


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(str(tmp_path), name)) for name in "xy"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(600)
        assert writer.exitcode == 0
    store = Store(tmp_path)
    assert len(store.entries()) == 60
    assert store.read("proof", "y29") == {"n": 29, "text": "y" * 100}


def _write_for_ever(folder: str) -> None:
    store = Store(Path(folder))
    n = 0
    while True:
        store.write("proof", str(n % 7), json.dumps(list(range(n % 1000))))
        n += 1


def test_a_writer_that_is_killed_leaves_a_store(tmp_path: Path) -> None:
    Store(tmp_path).write("proof", "first", 1)
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        writer = context.Process(target=_write_for_ever, args=(str(tmp_path),))
        writer.start()
        writer.join(0.05)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join(600)
        store = Store(tmp_path)
        assert store.read("proof", "first") == 1
        store.write("proof", "after", 2)
        assert store.read("proof", "after") == 2
        assert store.warnings == []


def test_clear_forgets_everything(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write("proof", "a", 1)
    store.clear()
    assert not tmp_path.exists()
