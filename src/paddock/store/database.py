"""A folder with an SQLite database of records: JSON texts by kind and key.

Several processes may use it at once: each write is one transaction. It is a cache: whatever cannot be read counts as
not there, and is in `warnings`; a database that is damaged is begun anew by the next write. What has not been used
for longest goes when there is too much.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from paddock.frozen import frozen

FILE = "store.db"
MOST_BYTES = 64 << 20  # of all records together
LONGEST = 16 << 20  # of one record
PATIENCE_S = 5.0  # with other processes that write

_TABLE = """
    CREATE TABLE IF NOT EXISTS records (
        kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (kind, key)
    )
"""


@frozen
class Entry:
    """A record: what it is, under which key, and how long it is."""

    kind: str
    key: str
    size: int


class Store:
    """The records in a folder, which is made if there is none. Raises `OSError` if it cannot be."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE
        self.warnings: list[str] = []
        self._most_bytes = most_bytes

    def read(self, kind: str, key: str) -> Any:
        """The record of this kind and key; None if there is none that can be read."""
        if not self.path.exists():
            return None
        try:
            with self._connected() as database:
                found = database.execute("SELECT value FROM records WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        except (sqlite3.Error, OSError) as error:
            self._warn(error)
            return None
        return None if found is None else self._parsed(found[0], kind, key)

    def write(self, kind: str, key: str, value: object) -> None:
        """Keep a record, which takes the place of one that is there."""
        self.write_all(kind, {key: value})

    def write_all(self, kind: str, records: Mapping[str, object]) -> None:
        """Keep records of one kind by their keys, all or none."""
        texts = {key: json.dumps(value, separators=(",", ":")) for key, value in records.items()}
        texts = {key: text for key, text in texts.items() if len(text) <= min(LONGEST, self._most_bytes)}
        try:
            self._insert(kind, texts)
        except sqlite3.OperationalError as error:  # locked, read-only, full
            self._warn(error)
        except sqlite3.DatabaseError as error:
            self._warn(error, "it is begun anew")
            self._begin_anew(kind, texts)
        except OSError as error:
            self._warn(error)

    def remove(self, kind: str, key: str) -> None:
        """Forget a record, if it is there."""
        try:
            with self._connected() as database, database:
                database.execute("DELETE FROM records WHERE kind = ? AND key = ?", (kind, key))
        except (sqlite3.Error, OSError) as error:
            self._warn(error)

    def entries(self) -> list[Entry]:
        """All records, by kind and key."""
        if not self.path.exists():
            return []
        try:
            with self._connected() as database:
                rows = database.execute("SELECT kind, key, length(value) FROM records ORDER BY kind, key").fetchall()
        except (sqlite3.Error, OSError) as error:
            self._warn(error)
            return []
        return [Entry(str(kind), str(key), int(size or 0)) for kind, key, size in rows]

    def clear(self) -> None:
        """Forget everything, and the folder if nothing else is in it. Raises `OSError` if that is not possible."""
        self._files_removed()
        with suppress(OSError):
            self.path.parent.rmdir()

    def _insert(self, kind: str, texts: Mapping[str, str]) -> None:
        with self._connected() as database, database:
            database.execute("BEGIN IMMEDIATE")
            newest = database.execute("SELECT coalesce(max(used), 0) FROM records").fetchone()[0]
            rows = [(kind, key, text, int(newest) + 1) for key, text in texts.items()]
            database.executemany("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", rows)
            (total,) = database.execute("SELECT coalesce(sum(length(value)), 0) FROM records").fetchone()
            oldest = database.execute("SELECT kind, key, length(value) FROM records ORDER BY used, kind, key")
            for old_kind, old_key, size in oldest.fetchall():
                if total <= self._most_bytes:
                    break
                database.execute("DELETE FROM records WHERE kind = ? AND key = ?", (old_kind, old_key))
                total -= size

    def _begin_anew(self, kind: str, texts: Mapping[str, str]) -> None:
        try:
            self._files_removed()
            self._insert(kind, texts)
        except (sqlite3.Error, OSError) as error:
            self._warn(error)

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + suffix) for suffix in ("", "-journal", "-wal", "-shm")]

    def _files_removed(self) -> None:
        for file in self._files():
            file.unlink(missing_ok=True)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        # A folder that comes with somebody else's project could have links that lead out of it.
        if links := [file for file in self._files() if file.is_symlink()]:
            raise OSError(errno.ELOOP, "it is a symbolic link", str(links[0]))
        # Autocommit: a transaction is where one is begun.
        with closing(sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)) as database:
            database.execute(_TABLE)
            yield database

    def _parsed(self, text: object, kind: str, key: str) -> Any:
        try:
            return json.loads(text) if isinstance(text, str) else self._damaged(kind, key)
        except (ValueError, RecursionError):
            return self._damaged(kind, key)

    def _damaged(self, kind: str, key: str) -> None:
        self.warnings.append(f"the store {self.path}: the {kind} {key[:8]} is damaged, and ignored")

    def _warn(self, error: Exception, also: str = "") -> None:
        words = f"the store {self.path} cannot be used: {error}"
        self.warnings.append(f"{words}; {also}" if also else words)
