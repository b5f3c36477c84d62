"""What programs get from the C library: each case is a fact that holds, and nearly the same that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock import pipeline
from paddock.options import Options
from paddock.report.result import Result, Verdict

HEAD = """
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int nondet_int(void);
extern int unknown(int *place);
"""

CASES = {
    "errno is one object": (
        "errno = 4; int *p = &errno; assert(errno == 4 && *p == 4);",
        "errno = 4; assert(errno == 5);",
    ),
    "errno is zero at first": ("assert(errno == 0);", "errno = 1; assert(errno == 0);"),
    "strlen leaves errno alone": (
        'errno = 0; strlen("a"); assert(errno == 0);',
        'errno = 0; puts("a"); assert(!errno);',
    ),
    "errno never becomes zero": (
        'errno = 1; puts("a"); assert(errno);',
        "int x; errno = 1; unknown(&x); assert(errno);",
    ),
    "errors of sqrt": ("errno = 0; sqrt(4.0); assert(!errno);", "volatile double x = -4; sqrt(x); assert(!errno);"),
    "errors of fmod": (
        "errno = 0; fmod(4.0, 2.0); assert(!errno);",
        "volatile double x = 0; fmod(4.0, x); assert(!errno);",
    ),
}


def checked(text: str, tmp_path: Path, **options: object) -> Result:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}\nint main(void) {{ {text} return 0; }}\n")
    return pipeline.check_files([str(file)], Options(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_the_library(name: str, tmp_path: Path) -> None:
    holds, fails = CASES[name]
    assert checked(holds, tmp_path).verdict is Verdict.PROVED
    assert checked(fails, tmp_path).verdict is Verdict.BUG
