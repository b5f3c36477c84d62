"""Opening solvers, and the record of their queries."""

# ruff: noqa: PT009  (`Solver.assert_` has nothing to do with unittest)

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paddock.solvers.factory import open_solver
from paddock.solvers.interface import Solver, SolverFailure, Status
from paddock.solvers.ops import Op
from paddock.solvers.sorts import BOOL, INT, ArraySort
from tests.unit.solvers.examples import z3_command


def test_cvc5_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(SolverFailure, match=r"install.*cvc5"):
        open_solver("cvc5")


def test_names() -> None:
    with open_solver("z3") as solver:
        assert solver.name == "Z3"
    with open_solver(" cvc5 ") as solver:
        assert solver.name == "cvc5"
    with open_solver(z3_command()) as solver:
        assert solver.name == z3_command()


def ask_three_questions(solver: Solver) -> None:
    f = solver.terms.declare_function("f", [INT], INT)
    x = solver.terms.variable("x", INT)
    at_x = solver.terms.apply(f, [x])
    low = solver.terms.variable("low", INT)
    law = solver.terms.quantify(True, [x], solver.terms.app(Op.LT, [low, at_x]), patterns=[[at_x]], name="law")
    solver.assert_(solver.terms.instantiate(solver.terms.template([low], law), [solver.terms.literal(5, INT)]))
    table = solver.terms.constant("a table", ArraySort((INT, INT), INT))
    cell = solver.terms.app(Op.SELECT, [table, solver.terms.literal(1, INT), solver.terms.literal(2, INT)])
    p = solver.terms.constant("p", BOOL)
    solver.assert_(
        solver.terms.app(
            Op.IMPLIES, [p, solver.terms.app(Op.EQ, [solver.terms.apply(f, [cell]), solver.terms.literal(4, INT)])]
        )
    )
    solver.check()
    assert solver.check([p]).status is Status.UNSAT
    assert solver.unsat_core() == [p]
    shifted = solver.terms.lambda_([x], solver.terms.app(Op.ADD, [x, cell]))
    solver.assert_(
        solver.terms.app(
            Op.EQ, [solver.terms.app(Op.SELECT, [shifted, solver.terms.literal(3, INT)]), solver.terms.literal(9, INT)]
        )
    )
    assert solver.check([solver.terms.app(Op.NOT, [p])]).has_model
    assert solver.model().value(cell) == 6


def test_every_query_is_a_file_that_stands_alone(tmp_path: Path) -> None:
    with open_solver("z3", dump_dir=tmp_path / "new" / "folder") as solver:
        ask_three_questions(solver)
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [f.name for f in files] == ["query-00001.smt2", "query-00002.smt2", "query-00003.smt2"]
    binary = z3_command().split()[0]
    verdicts = []
    for file in files:
        result = subprocess.run(
            [binary, "auto_config=false", "smt.mbqi=false", str(file)], capture_output=True, text=True, timeout=600
        )
        verdicts.append(result.stdout.strip())
    assert verdicts == ["unknown", "unsat", "unknown"]
    assert [f.read_text().splitlines()[-1] for f in files] == [
        "; Z3 answered unknown (incomplete quantifiers)",
        "; Z3 answered unsat",
        "; Z3 answered unknown (incomplete quantifiers)",
    ]


def test_records_are_the_same_each_time_and_with_each_solver(tmp_path: Path) -> None:
    texts = []
    for run, name in enumerate(["z3", "z3", "cvc5", z3_command()]):
        with open_solver(name, dump_dir=tmp_path / str(run)) as solver:
            ask_three_questions(solver)
        files = sorted((tmp_path / str(run)).iterdir())
        texts.append([[line for line in f.read_text().splitlines() if not line.startswith(";")] for f in files])
    assert texts[0] == texts[1] == texts[2] == texts[3]
    assert "(assert (not p))" in texts[0][2]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SolverFailure, match="cannot write"):
        open_solver("z3", dump_dir=tmp_path / "file" / "folder")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "query-00001.smt2").mkdir()
    with (
        open_solver("z3", dump_dir=tmp_path) as solver,
        pytest.raises(SolverFailure, match=r"cannot write.*query-00001"),
    ):
        solver.check()
