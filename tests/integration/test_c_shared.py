"""Real C files: the tasks of the software-verification competition, where they are at hand, are read as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddock.frontends.c import tree as t
from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import Flags
from paddock.frontends.c.types import ILP32
from paddock.frontends.c.walk import nodes_in

FOLDER = Path(__file__).parents[2].parent / "shared" / "svcomp"
FILES = sorted(path for ending in ("*.c", "*.i") for path in FOLDER.rglob(ending))


@pytest.mark.skipif(not FILES, reason="the tasks are not at hand")
@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4))])
def test_tasks_are_read(part: int) -> None:
    for path in FILES[part::4]:
        unit = parse([(str(path), path.read_text(encoding="utf-8", errors="surrogateescape"))], Flags(ILP32))
        assert unit.function("main") is not None, path
        for function in unit.functions:
            for node in nodes_in(function.body) if function.body else ():
                assert not isinstance(node, t.UnsupportedExpression | t.UnsupportedStatement), (node.origin, node)
