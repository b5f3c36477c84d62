"""Interpolants by cvc5, which looks for them by enumerating small terms (SyGuS)."""

from __future__ import annotations

from importlib.util import find_spec

from paddock.solvers.cvc5.work import WORK_PER_SECOND
from paddock.solvers.interpolants.problem import Problem, conjunction
from paddock.solvers.sexpr import Sexpr, parse


class Cvc5Enumeration:
    """cvc5: all theories, but only small problems."""

    name = "cvc5"

    def suits(self, problem: Problem) -> bool:
        return find_spec("cvc5") is not None and not problem.has_quantifiers

    def interpolant(self, problem: Problem, effort: float) -> Sexpr | None:
        import cvc5

        solver = cvc5.Solver(cvc5.TermManager())
        solver.setOption("produce-interpolants", "true")
        solver.setOption("rlimit-per", str(max(1, int(effort * WORK_PER_SECOND))))
        try:
            solver.setLogic("ALL")
            script = cvc5.InputParser(solver)
            script.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(problem.commands), "body")
            symbols = script.getSymbolManager()
            while not (command := script.nextCommand()).isNull():
                command.invoke(solver, symbols)
            excluded = cvc5.InputParser(solver, symbols)
            point = conjunction([f"(= {symbol} {value})" for symbol, value in problem.point])
            excluded.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(not {point})", "point")
            found = solver.getInterpolant(excluded.nextTerm())
            return None if found.isNull() else parse(str(found))[0]
        except (RuntimeError, ValueError, IndexError):  # what cvc5 cannot do, or does not know
            return None
