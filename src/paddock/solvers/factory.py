"""Opening a solver by the name that a user gives."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike

from paddock.solvers.interface import Solver

AUTO = "auto"


def suited(name_or_command: str, whole_formulas: bool) -> tuple[str, ...]:
    """The solvers to try, one after the other as long as a formula has what a solver has not. `auto` is Z3; but for
    formulas that are there as a whole, which Bitwuzla is made for, that comes first if it is installed."""
    if name_or_command.strip() != AUTO:
        return (name_or_command,)
    return ("bitwuzla", "z3") if whole_formulas and find_spec("bitwuzla") is not None else ("z3",)


def open_solver(
    name_or_command: str = AUTO,
    *,
    seed: int = 0,
    memory_mb: int | None = None,
    dump_dir: str | PathLike[str] | None = None,
    effort: float | None = None,
) -> Solver:
    """The solver `z3`, `cvc5` or `bitwuzla` in process, or else any SMT-LIB 2 solver by the command that runs it
    (`"z3 -in"`); `auto` is Z3.

    `memory_mb` limits the memory of the process the solver runs in; `dump_dir` is where every query is written as a
    file; `effort` limits each check, as that of `Solver.another`. Raises `SolverFailure` where the solver is missing or
    is no solver.
    """
    solver = _open(name_or_command.strip(), seed, memory_mb, effort)
    if dump_dir is None:
        return solver
    from pathlib import Path

    from paddock.solvers.recorder import Recorder

    return Recorder(solver, Path(dump_dir))


def _open(name: str, seed: int, memory_mb: int | None, effort: float | None) -> Solver:
    # Each solver is imported only when it is asked for: cvc5 may be absent, and all take time to load.
    if name in (AUTO, "z3"):
        from paddock.solvers.z3.solver import Z3Solver

        return Z3Solver(seed, memory_mb, effort=effort)
    if name == "cvc5":
        from paddock.solvers.cvc5.solver import Cvc5Solver

        return Cvc5Solver(seed, memory_mb, effort=effort)
    if name == "bitwuzla":
        from paddock.solvers.bitwuzla.solver import BitwuzlaSolver

        return BitwuzlaSolver(seed, memory_mb, effort=effort)
    from paddock.solvers.smtlib.solver import SmtLibSolver

    return SmtLibSolver(name, seed, memory_mb, effort=effort)
