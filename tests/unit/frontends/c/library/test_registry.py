"""Models of library functions are found wherever a file of the folder has them, and there is one for each function."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import paddock
from paddock.frontends.c import written_models
from paddock.frontends.c.known_names import BUILTIN
from paddock.frontends.c.library import registry

ONE_MORE = """
from paddock.frontends.c.pointsto_effects import PointerEffect


def _seventeen(low, call):
    yield low.expressions.all(call.arguments)
    return (low.numbers.literal(17, call.type),)


MODELS = {"seventeen": _seventeen}
EFFECTS = {"seventeen": PointerEffect()}
SHAPES = {"seventeen": "ip"}
"""
PROGRAM = """
int seventeen(const char *);
void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(seventeen("?") == 17); }
"""


def test_no_function_has_two_models() -> None:
    counted = Counter(name for name, _ in registry.entries("MODELS"))
    assert len(counted) > 100
    assert [name for name, count in counted.items() if count > 1] == []


def test_effects_and_shapes_are_of_functions_that_have_a_model() -> None:
    known = {name for name, _ in registry.entries("MODELS")}
    for table in ("EFFECTS", "SHAPES"):
        named = {name.removeprefix(BUILTIN) for name, _ in registry.entries(table)}
        classes = {name.removeprefix("__") for name in known | {n.removeprefix(BUILTIN) for n in known}}
        assert {name.removeprefix("__") for name in named} <= classes, table


def test_a_model_is_one_file(tmp_path: Path) -> None:
    """A copy of the package with one more file knows one more function."""
    copy = tmp_path / "src" / "paddock"
    shutil.copytree(Path(paddock.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "frontends" / "c" / "library" / "one_more.py").write_text(ONE_MORE)
    (tmp_path / "program.c").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "paddock", "check", "--require-proof", str(tmp_path / "program.c")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(copy.parent)},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "has no body" not in done.stderr


def test_the_documentation_lists_what_has_a_model() -> None:
    text = (Path(__file__).parents[5] / "docs" / "c.md").read_text(encoding="utf-8")
    table = text.partition("## The library")[2].partition("\n## ")[0]
    rows = [row.split("|")[2] for row in table.split("\n") if row.startswith("| ")]
    listed = {name for row in rows for name in re.findall(r"`(\w\w+)`", row)}
    floats = {name for name in listed if f"{name}f" in known()}
    variants = {f"{name}{end}" for name in floats for end in ("f", "l")}
    assert listed <= known()
    assert {n for n in written_models.defined() if not n.startswith(("_", "pthread_"))} <= listed | variants


def known() -> set[str]:
    """All functions of the library that have a model."""
    return set(written_models.defined()) | {name for name, _ in registry.entries("MODELS")}
