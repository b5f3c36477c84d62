"""Checks that programs on which a version was wrong give what they should.

    python bench/findings.py ../shared/findings

A folder has an `expected.tsv`: a file, options, what is expected, a note. `bug` and `no bug` (proved or bounded) are
verdicts, as are `proved` and `a verdict`; `accepted` and `rejected` say whether the program is read; other texts say
how many assertions or bugs there must be, or what must be printed. What no program can judge is to be looked at by
hand.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import Limits, Measured, measure_all
from tables import text_table

PADDOCK = (sys.executable, "-m", "paddock")
GOOD, WRONG, BY_HAND = "as expected", "WRONG", "by hand"


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the table."""

    file: str
    options: str
    expected: str
    note: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a command gave: its exit status, what it printed, and that as JSON if it is."""

    status: int
    text: str
    result: dict[str, Any]

    @property
    def verdict(self) -> str:
        return str(self.result.get("verdict", "traceback" if "Traceback" in self.text else f"status {self.status}"))

    @property
    def assertions(self) -> list[dict[str, Any]]:
        return list(self.result.get("assertions", []))

    def count(self, verdict: str) -> int:
        return sum(a["verdict"] == verdict for a in self.assertions)


def _accepted(given: Given) -> bool:
    return given.status in (0, 1, 3) and "Traceback" not in given.text


Judge = Callable[[Given, re.Match[str]], bool | None]
JUDGES: list[tuple[str, Judge]] = [
    ("bug", lambda g, _: g.verdict == "bug"),
    ("no bug", lambda g, _: g.verdict in ("proved", "bounded")),
    ("proved", lambda g, _: g.verdict == "proved"),
    ("a verdict", lambda g, _: g.verdict in ("bug", "proved", "bounded")),
    ("accepted", lambda g, _: _accepted(g)),
    ("rejected", lambda g, _: g.status == 2 and "Traceback" not in g.text),
    ("accepted or 'not supported'", lambda g, _: _accepted(g) or (g.status == 2 and "not supported" in g.text)),
    (r"accepted as --candidates of .*", lambda g, _: _accepted(g)),
    (r"(\d+) bugs in the independent mode", lambda g, m: g.count("bug") == int(m[1])),
    (
        r"(\d+) assertions, (\d+) proved in loops",
        lambda g, m: (
            len(g.assertions) == int(m[1])
            and sum(a["verdict"] == "proved" and bool(a.get("region")) for a in g.assertions) == int(m[2])
        ),
    ),
    (
        r"(\d+) assertions, implications found",
        lambda g, m: (
            len(g.assertions) == int(m[1])
            and any("implied" in a.get("how", "") or "refuted" in a.get("how", "") for a in g.assertions)
        ),
    ),
    (r"(.*) is among them", lambda g, m: m[1] in g.text),
    (r".*", lambda g, _: None),
]


def command(finding: Finding, folder: Path) -> list[str]:
    """What to run: a check, unless the options name another command."""
    file = str(folder / finding.file)
    if found := re.fullmatch(r"\(paddock (\w+)\)", finding.options):
        return [*PADDOCK, found[1], file]
    if found := re.fullmatch(r"accepted as --candidates of (.*)", finding.expected):
        of = str((folder / finding.file).parent / found[1])
        return [*PADDOCK, "check", "--format", "json", of, "--candidates", file, "--houdini", "--timeout", "60"]
    options = finding.options.split()
    if "independent" in finding.expected:
        options.append("--independent")
    return [*PADDOCK, "check", "--format", "json", file, "--timeout", "60", *options]


def given_by(measured: Measured) -> Given:
    try:
        result = json.loads(measured.out)
    except ValueError:
        result = {}
    return Given(measured.status, measured.out + measured.error, result if isinstance(result, dict) else {})


def judged(finding: Finding, given: Given) -> str:
    """Whether that is what is expected."""
    for pattern, judge in JUDGES:
        if found := re.fullmatch(pattern, finding.expected):
            answer = judge(given, found)
            return BY_HAND if answer is None else GOOD if answer else WRONG
    raise AssertionError("the last pattern matches anything")


def described(given: Given) -> str:
    """What was given, in a few words."""
    if given.status == 2:
        return next((line for line in given.text.splitlines() if "error" in line), "rejected")[-70:]
    if not given.result:
        return given.verdict if given.status else "printed"
    bugs = f", {given.count('bug')} bugs in {len(given.assertions)}" if len(given.assertions) > 1 else ""
    return given.verdict + bugs


def read(table: Path) -> list[Finding]:
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Finding(*(row[name] or "" for name in ("file", "options", "expected", "note"))) for row in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only files with this in their names")
    parser.add_argument("--limit", type=int, default=180, help="CPU seconds for a program (default: 180)")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args(arguments)
    findings = [f for f in read(chosen.folder / "expected.tsv") if chosen.only in f.file]
    commands = [command(f, chosen.folder) for f in findings]
    answers = dict(measure_all(commands, Limits(chosen.limit, 4000), chosen.jobs))
    rows, counts = [], Counter[str]()
    for n, finding in enumerate(findings):
        given = given_by(answers[n])
        verdict = judged(finding, given)
        counts[verdict] += 1
        rows.append((verdict, finding.file, finding.options, finding.expected, described(given)))
    print(text_table(("judged", "file", "options", "expected", "given"), rows), end="")
    print(f"{len(findings)} findings: {counts[GOOD]} as expected, {counts[WRONG]} wrong, {counts[BY_HAND]} by hand")
    return 1 if counts[WRONG] else 0


if __name__ == "__main__":
    sys.exit(main())
