"""The machine as judge: small C functions without undefined behaviour, each with the value it returns when compiled.

`CASE(name, value) { … }` is one of them, `SLOW_CASE` one for the patient; those of a file are one program. Paddock must
prove all values, and call any other value a bug.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from paddock.cli.arguments import build_parser, options_in
from paddock.driver import pipeline

FILES = sorted((Path(__file__).parent / "c_evaluation").glob("*.c"))
CASES = [
    (path, name, int(value), bool(slow))
    for path in FILES
    for slow, name, value in re.findall(
        r"^(SLOW_)?CASE\((\w+), (-?\d+)\)", path.read_text(encoding="utf-8"), re.MULTILINE
    )
]


AT_A_TIME = {"library": 4}  # functions that a program calls: memory remembers what all of them write


def parts(path: Path) -> list[list[str]]:
    """The functions of a file, as many at a time as are proved together."""
    names = [name for file, name, _, slow in CASES if file == path and not slow]
    size = AT_A_TIME.get(path.stem.partition("_")[0], len(names))
    return [names[start : start + size] for start in range(0, len(names), size)]


PARTS = [(path, part) for path in FILES for part in parts(path)]


def program(path: Path, relation: str = "==", only: Collection[str] | None = None) -> str:
    """A file, with a `main` that asserts what its functions return."""
    cases = [(name, value) for file, name, value, _ in CASES if file == path and (only is None or name in only)]
    tests = [f"  result = {name}(); assert(result {relation} {value});" for name, value in cases]
    head = "#define CASE(name, value) static int name(void)\n#define SLOW_CASE CASE"
    return "\n".join([head, path.read_text(encoding="utf-8"), "int main(void) {", "  int result;", *tests, "}", ""])


def verdict(path: Path, text: str, *options: str) -> str:
    path.write_text(text, encoding="utf-8")
    parser, _ = build_parser(["check"])
    arguments = parser.parse_args(["check", *options, "--timeout", "600", str(path)])
    result = pipeline.check_files([str(path)], options_in(arguments))
    return f"{result.verdict.value}{f': {result.trace[-1]}' if result.trace else ''}"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compiled(path: Path, tmp_path: Path) -> None:
    source, binary = tmp_path / "program.c", tmp_path / "program"
    source.write_text(program(path), encoding="utf-8")
    subprocess.run(["gcc", "-w", "-o", str(binary), str(source), "-lm"], check=True)
    subprocess.run([str(binary)], check=True)


@pytest.mark.parametrize(("path", "names"), PARTS, ids=[f"{path.stem}-{names[0]}" for path, names in PARTS])
def test_proved(path: Path, names: list[str], tmp_path: Path) -> None:
    assert verdict(tmp_path / "program.c", program(path, only=names)) == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("checks", ["assert", "assert,pointer,bounds"])
@pytest.mark.parametrize(("path", "name"), [(path, name) for path, name, _, _ in CASES])
def test_alone(path: Path, name: str, checks: str, tmp_path: Path) -> None:
    """Any other value is a bug, so the end of the function is reached."""
    source, options = tmp_path / "program.c", ("--checks", checks)
    assert verdict(source, program(path, "==", [name]), *options) == "proved"
    assert verdict(source, program(path, "!=", [name]), *options).startswith("bug")
