"""Results as text: aligned tables for people, and TSV files whose rows are dataclasses, for doing plots again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, TextIO, TypeVar, get_type_hints

NOTHING = "-"

Row = TypeVar("Row")


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns under their headings, those with a number in them to the right."""
    cells = [list(map(cell, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    has_number = [any(map(_is_number, column)) for column in zip(*cells, strict=True)] or [False] * len(header)
    lines = []
    for line in ([*header], ["-" * width for width in widths], *cells):
        aligned = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(line, widths, has_number, strict=True))
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """A value as tables show it."""
    match value:
        case None:
            return NOTHING
        case float():
            return f"{value:.1f}"
        case _:
            return str(value)


def _is_number(text: str) -> bool:
    return text.rstrip("%").lstrip("+-").replace(".", "", 1).isdecimal()


def write_header(file: TextIO, kind: type[Any]) -> None:
    file.write("\t".join(f.name for f in fields(kind)) + "\n")


def write_row(file: TextIO, row: Any) -> None:
    """Write a row at once: a run that is interrupted leaves what it has measured."""
    cells = (NOTHING if v is None or v == "" else " ".join(str(v).split()) for v in astuple(row))
    file.write("\t".join(cells) + "\n")
    file.flush()


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """The rows of a file that `write_row` has written; ends the program if it is another file."""
    hints = get_type_hints(kind)
    try:
        return [kind(**{name: _parsed(row[name], hint) for name, hint in hints.items()}) for row in read_tsv(path)]
    except (KeyError, ValueError):
        raise SystemExit(f"{path} does not hold results of this benchmark") from None


def read_tsv(path: Path) -> list[Mapping[str, str]]:
    """The rows of any TSV file, by the names in its first line."""
    try:
        header, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        return [dict(zip(header, row, strict=True)) for row in rows]
    except OSError as error:
        raise SystemExit(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise SystemExit(f"{path} is no table: rows differ in length") from None


def _parsed(text: str, hint: object) -> object:
    if text == NOTHING:
        return "" if hint is str else None
    if hint is str:
        return text
    return int(text) if hint in (int, int | None) else float(text)
