"""Every solver that the tests can count on, behind one fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Solver
from tests.unit.solvers.examples import z3_command


@pytest.fixture(params=["z3", "cvc5", "smtlib", "recorded"])
def solver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Solver]:
    names = {"smtlib": z3_command(), "recorded": "z3"}
    dump = tmp_path / "dump" if request.param == "recorded" else None
    with open_solver(names.get(request.param, request.param), dump_dir=dump) as opened:
        yield opened
