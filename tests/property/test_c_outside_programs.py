"""Random functions with pointers from outside have a bug if, and only if, a caller finds one."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.cli.arguments import build_parser, options_in
from paddock.driver import pipeline
from tests.property.c_native import GCC
from tests.property.c_outside_programs import have_bugs, outside_program

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")


@pytest.mark.parametrize(
    ("first", "count"), [(0, 12), *(pytest.param(n, 100, marks=pytest.mark.slow) for n in range(12, 1000, 100))]
)
def test_a_bug_is_what_a_caller_finds(first: int, count: int, tmp_path: Path) -> None:
    programs = [outside_program(seed) for seed in range(first, first + count)]
    parser, _ = build_parser(["check"])
    file = tmp_path / "program.c"
    for program, has_bug in zip(programs, have_bugs(programs), strict=True):
        for text, entry in ((program.text, "f"), (program.text_of_results, "main")):
            file.write_text(text, encoding="utf-8")
            arguments = parser.parse_args(["check", "--function", entry, str(file)])
            result = pipeline.check_files([str(file)], options_in(arguments))
            assert result.verdict in (("bug",) if has_bug else ("proved", "bounded")), text
