"""The house rules that a machine can check: who imports whom, and how long a file may be."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "paddock"
LONGEST_FILE = 600

# The table of the design: what each room may import of ours. A room may always import itself.
ALLOWED: dict[str, set[str]] = {
    "ir": set(),
    "analysis": {"ir"},
    "passes": {"ir", "analysis"},
    "solvers": {"workers"},
    "trace": {"ir"},
    "workers": set(),
    "vc": {"ir", "solvers"},
    "report": {"version"},
    "store": {"ir", "trace"},
    "backends": {"ir"},
    # A front end shows runs in its language, so it reads runs and writes steps of results.
    "frontends": {"ir", "trace", "report"},
    "engines": {"ir", "analysis", "passes", "vc", "solvers", "trace", "workers", "backends"},
}
ROOMS = set(ALLOWED)
# Plain arithmetic on text, the four answers to a check, the decorators of classes, and a pause of the collector: they
# import nothing.
EVERYWHERE = {"collector", "digits", "frozen", "verdict"}
ALLOWED |= {name: set() for name in sorted(EVERYWHERE)}
# The doors, in the order in which they may use one another.
ALLOWED["options"] = {"ir", "engines"}
ALLOWED["driver"] = ROOMS | {"options", "version"}
ALLOWED["api"] = {"driver", "frontends", "report", "options", "ir"}
ALLOWED["cli"] = {"driver", "engines", "report", "options", "ir", "version"}
ALLOWED["lsp"] = {"driver", "report", "options", "ir", "version"}
ALLOWED["cli"] |= {"lsp"}
ALLOWED["version"] = set()
ALLOWED["__init__"] = {"api", "passes", "version"}
ALLOWED["__main__"] = {"cli", "driver", "ir", "version"}

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


def test_every_room_is_in_the_table_of_the_design() -> None:
    assert {room_of(path) for path in MODULES} <= set(ALLOWED)


@pytest.mark.parametrize("room", ALLOWED)
def test_rooms_import_only_what_the_design_allows(room: str) -> None:
    allowed = ALLOWED[room] | {room} | EVERYWHERE
    modules = [path for path in MODULES if room_of(path) == room]
    found = ((path, line, other) for path in modules for line, other in imported_rooms(path))
    assert not [f"{path}:{line}: {other}" for path, line, other in found if other not in allowed]


def test_no_file_is_too_long() -> None:
    root = PACKAGE.parents[1]
    files = [*MODULES, *(root / "tests").rglob("*.py"), *(root / "bench").rglob("*.py")]
    lengths = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_classes_are_made_by_what_is_quick_to_load() -> None:
    """`frozen.py` has `frozen`, `mutable`, `field`, `fields` and `replace`; it alone looks at `dataclasses`."""
    users = [
        path for path in MODULES if re.search(r"^(from|import) dataclasses", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert users == []


def test_imports_are_seen_in_every_form(tmp_path: Path) -> None:
    module = tmp_path / "ir" / "bad.py"
    module.parent.mkdir()
    module.write_text(
        "import paddock.vc.passive\nfrom paddock import engines\nfrom ..passes import prune\n"
        "def f():\n    from paddock.trace.values import Value\nfrom . import types\nimport os\n"
    )
    rooms = [room for _, room in sorted(imported_rooms(module, tmp_path))]
    assert rooms == ["vc", "engines", "passes", "trace", "ir"]


TOY = """
from dataclasses import dataclass, replace

from paddock.frontends import boogie
from paddock.frontends.boogie.frontend import BoogieLanguage
from paddock.frontends.protocol import Loaded
from paddock.frontends.source import Source


@dataclass(frozen=True)
class Toy(BoogieLanguage):
    name = "Toy"


@dataclass(frozen=True)
class NoOptions:
    pass


class FrontEnd:
    name, endings, options, reads_candidates, writes_harnesses = "Toy", (".toy",), NoOptions, False, False
    names_files = False

    def decode(self, data):
        return data.decode("utf-8")

    def load(self, sources, candidates, options):
        claims = [line for source in sources for line in source.text.splitlines()]
        body = " ".join(f"assert {claim};" for claim in claims)
        program = boogie.load([Source(f"procedure main(x: int) {{ {body} }}", sources[0].file)])
        return Loaded(replace(program, language=Toy()))


FRONT_END = FrontEnd()
"""


def test_a_front_end_is_one_folder(tmp_path: Path) -> None:
    """A copy of the package with one more folder reads one more language."""
    copy = tmp_path / "src" / "paddock"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "frontends" / "toy").mkdir()
    (copy / "frontends" / "toy" / "frontend.py").write_text(TOY)
    (tmp_path / "claims.toy").write_text("x == x\nx != 3\n")
    command = [sys.executable, "-m", "paddock", "check", str(tmp_path / "claims.toy")]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(copy.parent)}, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "assertion fails: x != 3" in done.stdout


def test_nothing_outside_asks_for_the_language_of_a_program() -> None:
    """No module outside a front end imports one, but the room itself, which starts from Boogie."""
    for path in MODULES:
        if room_of(path) == "frontends":
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"paddock\.frontends\.c\b|frontends import c\b|isinstance\([^)]*Language", text), path
