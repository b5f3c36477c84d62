"""Small C programs about odd corners of the language, each with the verdict that it must have, whatever the engine.

The first line of a program says whether it is `safe` or has a `bug`, and which options it needs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from paddock.cli.arguments import build_parser, options_in
from paddock.driver import pipeline

PROGRAMS = sorted((Path(__file__).parent / "c_corners").glob("*.c"))
OTHER_WAYS = (
    "--engine stratified",
    "--engine eager",
    "--engine alternating",
    "--refine alg2",
    "--houdini",
    "--deep-asserts",
    "--gamble --jobs 1",
    "--tune integers=math",
    "--all-assertions",
)
UNDEFINED = (
    "uninit",
    "uninit_heap",
    "realloc_bug",
    "struct_pad",
    "missing_fn",
    "missing_safe",
    "missing_per_call",
    "cast_missing_bug",
    "fixed_address_bug",
    "number_as_address_bug",
)  # when compiled
STUBS = """
#include <stdlib.h>
int __VERIFIER_nondet_int(void) { return 0; }
unsigned __VERIFIER_nondet_uint(void) { return 0; }
char __VERIFIER_nondet_char(void) { return 0; }
void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
"""


def expectation(path: Path) -> tuple[bool, list[str]]:
    """Whether a program has a bug, and its options, which come last."""
    found = re.match(r"// (bug|safe)(?:: (.*))?\n", path.read_text(encoding="utf-8"))
    assert found, f"the first line of {path} must say what to expect"
    return found[1] == "bug", (found[2] or "").split()


def check(path: Path, *options: str) -> None:
    has_bug, own = expectation(path)
    parser, _ = build_parser(["check"])
    arguments = parser.parse_args(["check", *options, *own, "--timeout", "600", str(path)])
    result = pipeline.check_files([str(path)], options_in(arguments))
    assert result.verdict in (("bug",) if has_bug else ("proved", "bounded")), result.reason
    if has_bug and result.trace:
        assert result.trace[-1].kind == "fail"
    shown = " ".join(f"{step.text} {step.texts}" for step in result.trace)
    assert not re.search(r"\d+bv\d+|mem#|bv(add|slt|ult)|\.result", shown), "not in C's terms"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_verdict(path: Path) -> None:
    check(path)


@pytest.mark.parametrize(
    ("path", "way"),
    [(path, OTHER_WAYS[n % len(OTHER_WAYS)]) for n, path in enumerate(PROGRAMS[::8])],
    ids=lambda value: value.stem if isinstance(value, Path) else value,
)
def test_another_way(path: Path, way: str) -> None:
    """Every eighth program in one of the other ways; all ways are for the patient."""
    check(path, *way.split())


@pytest.mark.slow
@pytest.mark.parametrize("way", OTHER_WAYS)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_every_other_way(path: Path, way: str) -> None:
    check(path, *way.split())


def can_run(path: Path) -> bool:
    """Whether running a program shows what to expect: it has no inputs, and the bug is a failing assertion."""
    has_bug, options = expectation(path)
    text = path.read_text(encoding="utf-8")
    if "--checks" in options or "ilp32" in options or path.stem in UNDEFINED:
        return False
    return not has_bug or not re.search("nondet|argv", text)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("path", [path for path in PROGRAMS if can_run(path)], ids=lambda path: path.stem)
def test_a_compiled_program_agrees(path: Path, tmp_path: Path) -> None:
    (tmp_path / "stubs.c").write_text(STUBS)
    files = [path, tmp_path / "stubs.c"]
    subprocess.run(["gcc", "-w", "-fwrapv", "-o", tmp_path / "program", *files, "-lm"], check=True, timeout=600)
    ran = subprocess.run([tmp_path / "program"], check=False, capture_output=True, timeout=600)
    assert (ran.returncode < 0) == expectation(path)[0]
