"""The texts of the files that a result is about, as far as they can still be read."""

from __future__ import annotations

from pathlib import Path

from paddock.frozen import frozen
from paddock.report.failures import failures
from paddock.report.result import Result

ENDINGS = (".bpl", ".c", ".h", ".i")  # a report shows programs, whatever else a result names
LARGEST = 16_000_000  # bytes


@frozen
class Text:
    """The lines of a file; if it cannot be read, those that runs pass, and nothing for the others. `changed` says
    that the file is not the one that was checked."""

    lines: tuple[str, ...]
    is_whole: bool
    changed: bool = False


def texts_of(result: Result) -> dict[str, Text]:
    """The texts by the names of the files, those of the program first."""
    passed = _passed_lines(result)
    names = [*result.files, *(a.file for a in result.assertions), *passed]
    return {name: _text(name, passed.get(name, {})) for name in dict.fromkeys(names) if name}


def _passed_lines(result: Result) -> dict[str, dict[int, str]]:
    """The lines that runs pass, by file and number."""
    found: dict[str, dict[int, str]] = {}
    for failure in failures(result):
        for step in failure.counterexample.steps:
            lines = found.setdefault(step.file, {})
            if step.line and step.source:
                lines[step.line] = step.source
    return found


def _text(name: str, passed: dict[int, str]) -> Text:
    whole = _read(name)
    if whole is None:
        return Text(tuple(passed.get(n, "") for n in range(1, max(passed, default=0) + 1)), is_whole=False)
    lines = tuple(whole.split("\n"))
    if lines[-1] == "":
        lines = lines[:-1]
    changed = any(n > len(lines) or text.strip() not in lines[n - 1] for n, text in passed.items())
    return Text(lines, is_whole=True, changed=changed)


def _read(name: str) -> str | None:
    if not name.endswith(ENDINGS):
        return None
    try:
        path = Path(name)
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        return path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
    except (OSError, ValueError):
        return None
