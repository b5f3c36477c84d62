"""The results of many checks as plain data: a row for each task, and what two runs of the same tasks differ in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paddock.frozen import field, fields, frozen

BUG, SAFE, PROVED = "bug", "safe", "proved"
EXPECTED = (BUG, SAFE, PROVED)  # `safe` is proved or, as far as was looked, bounded
ERROR = "error"  # the verdict where a program cannot be read

RIGHT, WRONG, OPEN, FAILED = "right", "wrong", "open", "error"
FOUND, NOT_EXPECTED = "bug", "-"  # where nothing was expected
BAD = (WRONG, FOUND)
NOTEWORTHY_FACTOR, NOTEWORTHY_S = 1.5, 1.0  # by how much the CPU time of two runs must differ


@frozen
class Row:
    """What came of a task. `digest` tells whether it is the same task: files, options and version; `stats` are the
    counts and times of the check."""

    name: str
    verdict: str
    expected: str
    outcome: str
    reason: str
    cpu_s: float
    wall_s: float
    memory_mb: float
    digest: str
    stats: Mapping[str, int | float] = field(default_factory=dict)


COLUMNS = tuple(field.name for field in fields(Row))


def outcome(verdict: str, expected: str) -> str:
    """Whether a verdict is what was expected. A bound that was too small, or a check that gave out, is not wrong."""
    if verdict == ERROR:
        return FAILED
    if verdict == "unknown":
        return OPEN
    if not expected:
        return FOUND if verdict == BUG else NOT_EXPECTED
    if (verdict == BUG) != (expected == BUG):
        return OPEN if verdict == "bounded" else WRONG
    return OPEN if (verdict, expected) == ("bounded", PROVED) else RIGHT


@frozen
class Suite:
    """The rows of a run, in the order of the tasks, and those of an earlier one to compare it with."""

    rows: tuple[Row, ...]
    before: tuple[Row, ...] | None = None


@frozen
class Change:
    """A task of which two runs say something else, or that took another time."""

    name: str
    what: str  # wrong, right, verdict, slower, faster, new or gone
    before: Row | None
    after: Row | None


def changes(suite: Suite) -> tuple[Change, ...]:
    """What differs from the earlier run, the worst first."""
    if suite.before is None:
        return ()
    old = {row.name: row for row in suite.before}
    new = {row.name: row for row in suite.rows}
    found = [_change(name, old.get(name), new.get(name)) for name in dict.fromkeys((*new, *old))]
    order = ("wrong", "verdict", "slower", "gone", "new", "faster", "right")
    return tuple(sorted((c for c in found if c is not None), key=lambda c: (order.index(c.what), c.name)))


def _change(name: str, before: Row | None, after: Row | None) -> Change | None:
    if before is None or after is None:
        return Change(name, "gone" if after is None else "new", before, after)
    if before.outcome != after.outcome and (before.outcome in BAD or after.outcome in BAD):
        return Change(name, "wrong" if after.outcome in BAD else "right", before, after)
    if before.verdict != after.verdict:
        return Change(name, "right" if after.outcome == RIGHT else "verdict", before, after)
    slow, fast = max(before.cpu_s, after.cpu_s), min(before.cpu_s, after.cpu_s)
    if slow - fast < NOTEWORTHY_S or slow < fast * NOTEWORTHY_FACTOR:
        return None
    return Change(name, "slower" if after.cpu_s > before.cpu_s else "faster", before, after)


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows have which outcome; those without an expectation count by their verdict."""
    found: dict[str, int] = {}
    for row in rows:
        key = row.verdict if row.outcome == NOT_EXPECTED else row.outcome
        found[key] = found.get(key, 0) + 1
    return found


def summary(suite: Suite) -> str:
    """All in one line."""
    parts = [f"{number} {what}" for what, number in sorted(counts(suite.rows).items())]
    cpu = sum(row.cpu_s for row in suite.rows)
    tasks = len(suite.rows)
    return f"{tasks} task{'' if tasks == 1 else 's'}: {', '.join(parts) or 'none'}; {cpu:.1f} CPU s"


def tsv_line(values: Sequence[object]) -> str:
    return "\t".join(_cell(value) for value in values) + "\n"


def row_values(row: Row) -> list[object]:
    return [getattr(row, name) for name in COLUMNS]


def _cell(value: object) -> str:
    """A value as it can stand between tabulators."""
    match value:
        case float():
            return f"{value:.2f}"
        case Mapping():
            return " ".join(f"{name}={number}" for name, number in value.items())
        case _:
            return " ".join(str(value).split())


def rows_from(text: str) -> tuple[Row, ...]:
    """The rows of a table; a last line that was not written to its end is left out. Raises `ValueError`."""
    lines = text.split("\n")
    header = lines[0].split("\t")
    if header not in (list(COLUMNS), list(_COLUMNS_BEFORE)):
        raise ValueError("this is not a table of results of paddock suite")
    found = []
    for line in lines[1:-1]:
        cells = line.split("\t")
        if len(cells) != len(header):
            raise ValueError(f"a line has {len(cells)} columns, not {len(header)}")
        found.append(Row(**{name: _parsed(name, cell) for name, cell in zip(header, cells, strict=True)}))
    return tuple(found)


def _parsed(name: str, cell: str) -> Any:
    if name == "stats":
        pairs = [pair.partition("=") for pair in cell.split()]
        return {key: int(number) if number.isdecimal() else float(number) for key, _, number in pairs}
    return float(cell) if name in _NUMBERS else cell


_COLUMNS_BEFORE = COLUMNS[:-1]  # of tables without statistics
_NUMBERS = ("cpu_s", "wall_s", "memory_mb")
