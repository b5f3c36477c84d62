"""The house rules that a machine can check: who imports whom, and how long a file may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "paddock"
LONGEST_FILE = 600

# The table of the design: what each room may import of ours. A room may always import itself.
ALLOWED: dict[str, set[str]] = {
    "ir": set(),
    "boogie": {"ir"},
    "c": {"ir"},
    "passes": {"ir"},
    "solvers": set(),
    "trace": {"ir"},
    "workers": set(),
    "vc": {"ir", "solvers"},
    "search": {"ir", "passes", "vc", "solvers", "trace", "workers"},
    "report": set(),
}
ROOMS = set(ALLOWED)
# Plain arithmetic on text, which imports nothing: whoever reads or writes numbers needs it.
EVERYWHERE = {"digits"}
ALLOWED["digits"] = set()
# The doors, in the order in which they may use one another.
ALLOWED["options"] = {"ir"}
ALLOWED["story"] = {"ir", "trace", "report"}
ALLOWED["c_story"] = {"c", "ir", "trace", "report", "story"}
ALLOWED["c_harness"] = {"c", "ir", "trace"}
ALLOWED["c_pipeline"] = {"c", "c_harness", "c_story", "ir", "options", "report", "trace"}
ALLOWED["limits"] = set()
ALLOWED["gambling"] = {"ir", "limits", "options", "passes", "report", "search", "workers"}
ALLOWED["verdicts"] = {"ir", "options", "report", "search", "trace"}
ALLOWED["pipeline"] = ROOMS | {"verdicts", "c_pipeline", "gambling", "limits", "options", "story", "version"}
ALLOWED["regions"] = {"boogie", "gambling", "ir", "options", "passes", "pipeline", "report", "search"}
ALLOWED["relating"] = ROOMS | {"pipeline", "limits", "options", "version"}
ALLOWED["api"] = {"pipeline", "relating", "report", "options", "ir"}
ALLOWED["output"] = {"ir", "report"}
ALLOWED["arguments"] = {"options", "output", "ir", "version"}
ALLOWED["cli"] = {"pipeline", "regions", "relating", "report", "options", "ir", "arguments", "output"}
ALLOWED["guard"] = {"pipeline", "relating", "report", "options", "ir", "limits", "search", "workers"}
ALLOWED["version"] = set()
ALLOWED["__init__"] = {"api", "passes", "version"}
ALLOWED["__main__"] = {"cli", "guard"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_rooms(path: Path, root: Path = PACKAGE) -> Iterator[tuple[int, str]]:
    """The rooms that a module imports anywhere in its text, with the line of each import."""
    package = ("paddock", *path.relative_to(root).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names):
                targets = [alias.name.split(".") for alias in names]
            case ast.ImportFrom(module, names, level):
                base = list(package[: len(package) - level + 1]) if level else []
                stem = base + (module.split(".") if module else [])
                # `from paddock import x` names the room only in what it imports.
                targets = [[*stem, alias.name] for alias in names] if stem == ["paddock"] else [stem]
            case _:
                continue
        for target in targets:
            if target[0] == "paddock" and len(target) > 1:
                yield node.lineno, target[1]


def test_the_package_was_found() -> None:
    assert PACKAGE / "ir" / "expr.py" in MODULES


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_rooms_import_only_what_the_design_allows(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"{room} is in no row of the design's table"
    allowed = ALLOWED[room] | {room} | EVERYWHERE
    wrong = [f"line {line}: {other}" for line, other in imported_rooms(path) if other not in allowed]
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_file_is_too_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_imports_are_seen_in_every_form(tmp_path: Path) -> None:
    module = tmp_path / "ir" / "bad.py"
    module.parent.mkdir()
    module.write_text(
        "import paddock.vc.passive\nfrom paddock import search\nfrom ..passes import prune\n"
        "def f():\n    from paddock.trace.values import Value\nfrom . import types\nimport os\n"
    )
    rooms = [room for _, room in sorted(imported_rooms(module, tmp_path))]
    assert rooms == ["vc", "search", "passes", "trace", "ir"]
