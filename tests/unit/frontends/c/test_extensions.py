"""Extensions of C, one by one: supported, or refused with a word that names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.driver.pipeline import check_files
from paddock.ir.origin import InputError
from paddock.options import Options
from paddock.report.result import Verdict

SUPPORTED = {
    "local labels": "int x = 0; { __label__ out; x = 1; goto out; x = 2; out:; } assert(x == 1);",
    "labels as values": "void *p = &&there; int x = 0; goto *p; x = 1; there: assert(x == 0 && p);",
    "half floats": "_Float16 h = 2.5f; assert(h + h == 5.0f);",
    "statement expressions": "assert(({ int y = 2; y + 1; }) == 3);",
}
REFUSED = {
    "complex numbers": ("double _Complex z = 1; (void)z;", "the type _Complex double is not supported"),
    "vectors": (
        "int __attribute__((vector_size(16))) v = {1}; (void)v;",
        "the type __attribute__((__vector_size__(4 * sizeof(int)))) int is not supported",
    ),
    "arrays of variable length in structs": (
        "int n = 3; struct { int a[n]; } s; (void)s;",
        "must have a constant size",
    ),
    "long jumps": ("jmp_buf b; longjmp(b, 1);", "a call of longjmp is not supported"),
    "instructions of vectors": (
        "\n#include <immintrin.h>\n",
        "the instructions of vectors that it declares are not supported",
    ),
    "functions at a quick exit": ("at_quick_exit(main2);", "a call of at_quick_exit is not supported"),
    "a main that calls itself among others around it": (
        "} __attribute__((constructor)) static void f(void) { main();",
        "main is called in a program with constructors",
    ),
}
TEXT = """#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
void main2(void);
int main(void) {{ {} }}
"""


def checked(tmp_path: Path, body: str) -> Verdict:
    file = tmp_path / "program.c"
    file.write_text(TEXT.format(body), encoding="utf-8")
    return check_files([str(file)], Options()).verdict


@pytest.mark.parametrize("name", SUPPORTED)
def test_supported(tmp_path: Path, name: str) -> None:
    assert checked(tmp_path, SUPPORTED[name]) is Verdict.PROVED


@pytest.mark.parametrize("name", REFUSED)
def test_refused(tmp_path: Path, name: str) -> None:
    body, word = REFUSED[name]
    with pytest.raises(InputError) as refused:
        checked(tmp_path, body)
    assert word in str(refused.value)
    assert "program.c:5:" in str(refused.value) or "program.c:6:" in str(refused.value)
