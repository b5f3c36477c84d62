"""Programs with a known verdict for every theory, operator and corner of the language, end to end.

Each file in `theories/` holds procedures that are marked with the verdict of a check that starts there. What must not
change the verdict, engine and solver, does not; and a `bug` has been replayed by the interpreter, which knows nothing
of the encoding, or it would be `unknown`. Marks: `{:verdict "bug"}`; `{:bound 3}` for another recursion bound than the
default; `{:not "cvc5"}` where a solver lacks the theory; `{:slow}` for what takes a solver long.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import paddock
from paddock import Options, Program
from paddock.ir.expr import Lit
from paddock.ir.program import Procedure, find_attribute
from tests.unit.solvers.examples import z3_command

THEORIES = Path(__file__).parent / "theories"
IN_PROCESS = ("z3", "cvc5") if find_spec("cvc5") else ("z3",)
ENGINES = ("dag", "stratified", "eager")
DEFAULT = ("dag", "z3")
OTHERS = [(e, s) for e in ENGINES for s in (*IN_PROCESS, "process") if (e, s) != DEFAULT]


@cache
def program(file: str) -> Program:
    return paddock.load(THEORIES / file)


def marked() -> list[tuple[str, str]]:
    """The files and the procedures to start in."""
    files = sorted(path.name for path in THEORIES.glob("*.bpl"))
    return [(f, p.name) for f in files for p in program(f).procedures if find_attribute(p.attributes, "verdict")]


def is_slow(file: str, entry: str) -> bool:
    return find_attribute(program(file).procedure_named[entry].attributes, "slow") is not None


def mark(procedure: Procedure, name: str, otherwise: object) -> object:
    """The parameter of one of our attributes."""
    found = find_attribute(procedure.attributes, name)
    value = found.params[0] if found else otherwise
    return value.value if isinstance(value, Lit) else value


def check(file: str, entry: str, engine: str, solver: str) -> None:
    procedure = program(file).procedure_named[entry]
    if mark(procedure, "not", "") == solver:
        pytest.skip(f"{solver} cannot do this")
    bound = mark(procedure, "bound", Options().bounds.recursion_bound)
    assert isinstance(bound, int)
    command = z3_command() if solver == "process" else solver
    result = paddock.check(
        program(file), Options.of(entry=entry, engine=engine, solver=command, recursion_bound=bound, timeout=600)
    )
    assert result.verdict == mark(procedure, "verdict", None), result.reason
    assert (result.trace != ()) == (result.verdict is paddock.Verdict.BUG)


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bug here is one that a longer attempt would refute, so all that such attempts do is take time."""
    monkeypatch.setattr("paddock.engines.feasibility.CONFIRMATION_EFFORT", 0.3)


def shown(word: str) -> str:
    return word.removesuffix(".bpl")


QUICK = [case for case in marked() if not is_slow(*case)]
CASES = pytest.mark.parametrize(
    ("file", "entry"),
    [pytest.param(*case, marks=pytest.mark.slow if is_slow(*case) else ()) for case in marked()],
    ids=shown,
)


@CASES
def test_verdict(file: str, entry: str) -> None:
    check(file, entry, *DEFAULT)


@pytest.mark.parametrize(
    ("file", "entry", "engine", "solver"),
    [(*case, *OTHERS[n % len(OTHERS)]) for n, case in enumerate(QUICK[::5])],
    ids=shown,
)
def test_verdict_of_another_engine_or_solver(file: str, entry: str, engine: str, solver: str) -> None:
    """Every fifth case with one of the other pairs; all pairs are for the patient."""
    check(file, entry, engine, solver)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "solver"), OTHERS)
@CASES
def test_verdict_of_every_engine_and_solver(file: str, entry: str, engine: str, solver: str) -> None:
    check(file, entry, engine, solver)


def test_each_theory_has_bugs_and_proofs() -> None:
    verdicts: dict[str, set[object]] = {}
    for file, entry in marked():
        verdicts.setdefault(file, set()).add(mark(program(file).procedure_named[entry], "verdict", None))
    assert {file for file, seen in verdicts.items() if seen != {"bug", "proved"}} <= {"axioms.bpl"}
