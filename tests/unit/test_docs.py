"""The documents name only what there is: files, names in files, and targets of links."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGE = ROOT / "src" / "paddock"
ENDINGS = ("py", "md", "bpl", "c", "toml", "json", "h")
PATH = re.compile(rf"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:{'|'.join(ENDINGS)})|[\w.-]*)|[\w.-]+\.py)(?:::([\w.]+))?`")


def prose(page: Path) -> str:
    """The text without blocks of code."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def named_paths(text: str) -> list[tuple[str, str]]:
    """The paths that a text mentions, each with the name in the file that it is about, if any; but for those of the
    reader (`your_pass.py`) and of the system (`sys/time.h`)."""
    return [(path, name) for path, name in PATH.findall(text) if "your_" not in path and not path.startswith("sys/")]


def found(path: str) -> Path | None:
    """What a path means: below the repository or the package; a plain name may be that of any module."""
    places = [base / path for base in (ROOT, PACKAGE) if (base / path).exists()]
    return next(iter(places or ([] if "/" in path else PACKAGE.rglob(path))), None)


@cache
def names_in(file: Path) -> set[str]:
    """What a Python file defines at its top level, and in the classes there."""
    names: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name, body=body):
                names |= {name, *(f"{name}.{f.name}" for f in body if isinstance(f, ast.FunctionDef))}
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def anchors(page: Path) -> set[str]:
    """The anchors that a forge gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_paths_exist(page: Path) -> None:
    assert not [path for path, _ in named_paths(prose(page)) if found(path) is None]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_names_are_defined_where_the_page_says(page: Path) -> None:
    wrong = []
    for path, name in named_paths(prose(page)):
        file = found(path)
        if name and (file is None or name not in names_in(file)):
            wrong.append(f"{path}::{name}")
    assert not wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    wrong = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(link)
    assert not wrong


def test_paths_and_names_are_seen() -> None:
    assert named_paths("`a/b.py::f`, `ir/`, `x.py`, `tests/unit/ir` and `--merge a/b`") == [
        ("a/b.py", "f"),
        ("ir/", ""),
        ("x.py", ""),
        ("tests/unit/ir", ""),
    ]


def test_every_room_is_in_the_picture_of_the_rooms() -> None:
    rooms = {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert rooms
    assert not [room for room in sorted(rooms) if f"`{room}/`" not in text]


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = re.findall(r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(menu) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))
