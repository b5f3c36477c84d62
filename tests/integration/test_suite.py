"""`paddock suite`: tasks from files of several kinds, limits, resuming, comparing, exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from paddock.cli.main import main
from paddock.driver.suite_files import tasks_in
from paddock.ir.origin import InputError
from paddock.report.registry import formats, rendered, summary
from paddock.report.suite import Row, Suite, changes, outcome, rows_from
from tests.busy import HARD
from tests.integration.test_ci_reports import require_junit

BUG = "procedure main(x: int) { assert x > 0; }\n"
SAFE = "procedure main(x: int) { assert x * x >= 0; }\n"
LOOP = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 2; } assert i != 101; }\n"
BROKEN = "procedure main( {\n"
C_BUG = "void reach_error(void) {} int main(void) { int x; if (x == 3) reach_error(); return 0; }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = {"bug": BUG, "safe": SAFE, "loop": LOOP, "broken": BROKEN, "hard": HARD}
    for name, text in programs.items():
        (tmp_path / f"{name}.bpl").write_text(text)
    (tmp_path / "a.c").write_text(C_BUG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suite(text: str, *arguments: str) -> tuple[int, dict[str, Row]]:
    """The exit status of a suite, and its rows by name."""
    Path("s.toml").write_text(text)
    status = main(["suite", "s.toml", "--jobs", "1", "--format", "tsv", "--output", "out.tsv", *arguments])
    return status, {row.name: row for row in rows_from(Path("out.tsv").read_text(encoding="utf-8"))}


ALL = """
[defaults]
options = { recursion-bound = 3 }
[[task]]
name = "the bug"
files = ["bug.bpl"]
expected = "bug"
[[task]]
files = ["safe.bpl"]
expected = "proved"
[[task]]
files = ["loop.bpl"]
expected = "safe"
"""


@pytest.mark.usefixtures("folder")
def test_what_is_expected() -> None:
    status, rows = suite(ALL)
    assert status == 0
    assert [(r.name, r.verdict, r.outcome) for r in rows.values()] == [
        ("the bug", "bug", "right"),
        ("safe.bpl", "proved", "right"),
        ("loop.bpl", "bounded", "right"),
    ]
    assert all(row.cpu_s > 0 and row.wall_s > 0 and row.memory_mb > 1 for row in rows.values())


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("entry", "verdict", "judged", "status"),
    [
        ('files = ["bug.bpl"]\nexpected = "safe"', "bug", "wrong", 1),
        ('files = ["bug.bpl"]', "bug", "bug", 1),
        ('files = ["safe.bpl"]\nexpected = "bug"', "proved", "wrong", 1),
        ('files = ["loop.bpl"]\nexpected = "proved"', "bounded", "open", 3),
        ('files = ["broken.bpl"]', "error", "error", 2),
        ('files = ["safe.bpl", "bug.bpl"]', "error", "error", 2),
        ('files = ["nowhere.bpl"]', "error", "error", 2),
        ('files = ["safe.bpl"]\noptions = { memory = 1 }', "unknown", "open", 3),
        ('files = ["hard.bpl"]\noptions = { timeout = 1 }', "unknown", "open", 3),
        ('files = ["hard.bpl"]\ncpu = 1', "unknown", "open", 3),
    ],
)
def test_outcomes_and_limits(entry: str, verdict: str, judged: str, status: int) -> None:
    given, rows = suite(f"[[task]]\n{entry}\n")
    (row,) = rows.values()
    assert (row.verdict, row.outcome, given) == (verdict, judged, status)
    for limit, reason in (("memory", "memory"), ("timeout", "time limit"), ("cpu", "CPU time limit")):
        if limit in entry:
            assert reason in row.reason


def test_every_outcome() -> None:
    table = {
        ("bug", "bug"): "right",
        ("bounded", "bug"): "open",
        ("unknown", "safe"): "open",
        ("bounded", "safe"): "right",
        ("proved", "safe"): "right",
        ("proved", ""): "-",
        ("error", "bug"): "error",
    }
    assert {pair: outcome(*pair) for pair in table} == table


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "text",
    [
        "[",
        "x = 1",
        "task = 1",
        "[[task]]\nfile = 'a'",
        "[[task]]\nname = 'a'",
        "[[task]]\nfiles = []",
        "[[task]]\nfiles = ['a.c']\nexpected = 'perhaps'",
        "[[task]]\nfiles = ['a.c']\ncpu = 'long'",
        "[[task]]\nfiles = ['a.c']\n[[task]]\nfiles = ['a.c']",
        "[[task]]\neach = '*.cobol'",
        "[[task]]\nfiles = ['a.c']\noptions = { unwind = 'many' }",
        "[[task]]\nfiles = ['a.c']\noptions = { unwin = 3 }",
        "[[task]]\nfiles = ['a.c']\noptions = { solver = 'rm -rf x' }",
        "[[task]]\nfiles = ['a.c']\noptions = { backend = './steal', gamble = true }",
        "[[task]]\nfiles = ['a.c']\noptions = { harness = '../../evil.c' }",
        "[[task]]\nfiles = ['a.c']\noptions = { dump-smt = '/' }",
        "[[task]]\nfiles = ['a.c']\noptions = { independent = true }",
        "[defaults]\nname = 'x'\n[[task]]\nfiles = ['a.c']",
    ],
)
def test_bad_suites(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.toml").write_text(text)
    assert main(["suite", "s.toml"]) == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_definitions_of_the_competition() -> None:
    Path("t.yml").write_text(
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n"
        "  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n"
        "  - property_file: ../properties/termination.prp\n    expected_verdict: true\n"
        "options:\n  language: C\n  data_model: ILP32\n"
    )
    (task,) = tasks_in(["t.yml"])
    assert dict(task.options) == {"checks": ("unreach",), "data_model": "ilp32"}
    assert main(["suite", "."]) == 0  # the folder has a definition, so its other programs are not tasks


@pytest.mark.usefixtures("folder")
def test_a_folder_of_programs() -> None:
    assert {task.name for task in tasks_in(["."])} >= {"bug.bpl", "a.c"}
    Path("empty").mkdir()
    with pytest.raises(InputError):
        tasks_in(["empty"])


@pytest.mark.usefixtures("folder")
def test_resuming_checks_only_what_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    suite(ALL, "--results", "r.tsv")
    capsys.readouterr()
    table = Path("r.tsv").read_text()
    # The last line was not written to its end, and one program has changed.
    Path("r.tsv").write_text(table.rstrip("\n")[:-3])
    Path("bug.bpl").write_text(SAFE)
    status, rows = suite(ALL, "--results", "r.tsv", "--resume")
    checked = [line for line in capsys.readouterr().err.splitlines() if line.startswith("[")]
    assert (status, rows["the bug"].outcome) == (1, "wrong")
    assert [line.split("] ")[1].split(":")[0] for line in checked] == ["the bug", "loop.bpl"]
    assert {row.name: row for row in rows_from(Path("r.tsv").read_text())} == rows


@pytest.mark.usefixtures("folder")
def test_statistics_are_kept() -> None:
    """So are tables that were written before there were any read."""
    _, rows = suite(ALL, "--results", "r.tsv")
    assert rows["the bug"].stats["instances"] >= 1
    table = Path("r.tsv").read_text()
    assert {row.name: row for row in rows_from(table)}["the bug"].stats == rows["the bug"].stats
    earlier = "".join(line.rpartition("\t")[0] + "\n" for line in table.splitlines())
    assert [row.name for row in rows_from(earlier)] == list(rows) and rows_from(earlier)[0].stats == {}


def running(pid: int) -> Iterator[int]:
    """The processes that a process has started, and those that they have."""
    found = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = dict(tuple(map(int, line.split())) for line in found.splitlines())
    wanted = {pid}
    for child, parent in sorted(parents.items()):
        if parent in wanted:
            wanted.add(child)
            yield child


@pytest.mark.usefixtures("folder")
def test_a_suite_that_is_killed_goes_on() -> None:
    tasks = "".join(f'[[task]]\nname = "{n}"\nfiles = ["bug.bpl"]\nexpected = "bug"\n' for n in range(4))
    Path("s.toml").write_text(tasks + '[[task]]\nfiles = ["hard.bpl"]\noptions = { timeout = 500 }\n')
    arguments = ["suite", "s.toml", "--jobs", "1", "--results", "r.tsv"]
    process = subprocess.Popen([sys.executable, "-m", "paddock", *arguments], stderr=subprocess.DEVNULL)
    try:
        latest = time.monotonic() + 600
        while not Path("r.tsv").exists() or len(Path("r.tsv").read_text().splitlines()) < 5:
            assert time.monotonic() < latest and process.poll() is None
            time.sleep(0.05)
        children = list(running(process.pid))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    while any(os.path.exists(f"/proc/{child}") and not is_zombie(child) for child in children):
        assert time.monotonic() < latest
        time.sleep(0.05)
    status, rows = suite(tasks, "--results", "r.tsv", "--resume")
    assert status == 0 and [row.outcome for row in rows.values()] == ["right"] * 4


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def row(name: str, verdict: str = "proved", expected: str = "safe", cpu: float = 1.0, reason: str = "") -> Row:
    return Row(name, verdict, expected, outcome(verdict, expected), reason, cpu, cpu, 10.0, "d")


BEFORE = (row("same"), row("slow", cpu=1.0), row("fast", cpu=9.0), row("worse"), row("better", "bug"), row("gone"))
AFTER = (row("same", cpu=1.2), row("slow", cpu=3.0), row("fast", cpu=2.0), row("worse", "bug"), row("better"), row("n"))


def test_two_runs_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = Suite(AFTER, BEFORE)
    assert [(c.name, c.what) for c in changes(both)] == [
        ("worse", "wrong"),
        ("slow", "slower"),
        ("gone", "gone"),
        ("n", "new"),
        ("fast", "faster"),
        ("better", "right"),
    ]
    text = rendered("suite", "text", both)
    assert "wrong    worse" in text and "6 differences" in text
    page = rendered("suite", "html", both)
    assert page.count("<circle") == 5 and "No task differs" in rendered("suite", "html", Suite(AFTER, AFTER))
    (tmp_path / "other.tsv").write_text("a\tb\n")
    (tmp_path / "a.bpl").write_text(SAFE)
    assert main(["suite", str(tmp_path / "a.bpl"), "--compare", str(tmp_path / "other.tsv")]) == 2
    capsys.readouterr()


HOSTILE = "<script>alert(1)</script>&'\"\x00\t\n\udc80"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.add(tag)


def test_hostile_names() -> None:
    both = Suite((row(HOSTILE, "unknown", "", reason=HOSTILE),), (row(HOSTILE, cpu=9.0),))
    tags = Tags()
    tags.feed(rendered("suite", "html", both))
    assert "script" not in tags.found
    ElementTree.fromstring(rendered("suite", "junit", both))
    assert len(rendered("suite", "tsv", both).splitlines()) == 2


def test_junit_and_the_names_of_forms() -> None:
    root = ElementTree.fromstring(rendered("suite", "junit", Suite((*AFTER, row("e", "error"), row("u", "unknown")))))
    assert [root[0].get(name) for name in ("tests", "failures", "errors", "skipped")] == ["8", "1", "1", "1"]
    require_junit(root)
    assert formats("suite") == ("text", "html", "junit", "tsv")
    assert all(summary("suite", name).endswith((".", ":")) for name in formats("suite"))


@pytest.mark.parametrize(
    "arguments", [("--resume",), ("--jobs", "0"), ("--cpu", "0"), ("--format", "sarif"), ("--harness", "a")]
)
def test_bad_arguments(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.bpl").write_text(SAFE)
    assert main(["suite", str(tmp_path / "a.bpl"), *arguments]) == 2
