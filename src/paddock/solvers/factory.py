"""Opening a solver by the name that a user gives."""

from __future__ import annotations

from pathlib import Path

from paddock.solvers.interface import Solver
from paddock.solvers.recorder import Recorder


def open_solver(
    name_or_command: str = "z3",
    *,
    seed: int = 0,
    memory_mb: int | None = None,
    dump_dir: Path | str | None = None,
) -> Solver:
    """The solver `z3` or `cvc5` in process, or else any SMT-LIB 2 solver by the command that runs it (`"z3 -in"`).

    `memory_mb` limits the memory of the process the solver runs in; `dump_dir` is where every query is written as a
    file. Raises `SolverFailure` where the solver is missing or is no solver.
    """
    solver = _open(name_or_command.strip(), seed, memory_mb)
    return solver if dump_dir is None else Recorder(solver, Path(dump_dir))


def _open(name: str, seed: int, memory_mb: int | None) -> Solver:
    # Each solver is imported only when it is asked for: cvc5 may be absent, and all take time to load.
    if name == "z3":
        from paddock.solvers.z3.solver import Z3Solver

        return Z3Solver(seed, memory_mb)
    if name == "cvc5":
        from paddock.solvers.cvc5.solver import Cvc5Solver

        return Cvc5Solver(seed, memory_mb)
    from paddock.solvers.smtlib.solver import SmtLibSolver

    return SmtLibSolver(name, seed, memory_mb)
