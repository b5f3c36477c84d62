"""The process of a solver that reads SMT-LIB 2, and what is sent to it.

A solver that had to be killed (a time limit is kept by force) is started again, and sent everything once more, when the
next query comes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from paddock.solvers.interface import SolverFailure
from paddock.solvers.sexpr import Sexpr, expression_text, string_value
from paddock.solvers.smtlib.process import OutOfMemory, OutOfTime, SolverProcess, is_about_memory

_PATIENCE = 30.0  # seconds within which a solver must answer what is no query

# Settings that some solvers need, by the name that they give themselves; they are those that they have in process.
_OPTIONS = {
    "Z3": ("(set-option :auto_config false)", "(set-option :smt.mbqi false)"),
    "cvc5": ("(set-option :arrays-exp true)", "(set-option :dt-nested-rec true)", "(set-option :dag-thresh 0)"),
}
# Z3 uses its incremental solver, which alone has candidate models, once there is a push.
_AFTER_LOGIC = {"Z3": ("(push 1)",)}


class Dialogue:
    """A running solver. `sent` says how many commands it knows, `starts` how often it was started."""

    def __init__(self, command: str, seed: int, memory_mb: int | None) -> None:
        self.command = command
        self.seed = seed
        self.memory_mb = memory_mb
        self._process = SolverProcess(command, memory_mb)
        self.starts = 1
        self.sent = 0
        self._greet()

    def _greet(self) -> None:
        """Makes sure that this is a solver, and sets its options."""
        match self.ask("(set-option :print-success false)\n(get-info :name)\n"):
            case [":name", str(atom)]:
                name = string_value(atom)
            case "unsupported" | ["error", _]:
                name = ""
            case answer:
                raise self._process.nonsense(expression_text(answer))
        options = [
            "(set-option :produce-models true)",
            "(set-option :produce-unsat-assumptions true)",
            f"(set-option :random-seed {self.seed})",
            *_OPTIONS.get(name, ()),
            "(set-logic ALL)",
            *_AFTER_LOGIC.get(name, ()),
            '(echo "ready")',
        ]
        reply = self.ask("\n".join(options) + "\n")
        while reply == "unsupported":
            reply = self.ask("")
        if reply not in ("ready", '"ready"'):
            raise self.complaint(reply)

    def ask(self, text: str) -> Sexpr:
        """The answer to what is no query, which must come soon."""
        try:
            return self._process.ask(text, time.monotonic() + _PATIENCE)
        except OutOfTime:
            raise SolverFailure(f"solver {self.command!r} does not answer") from None

    def complaint(self, answer: Sexpr) -> SolverFailure:
        """The failure of a solver that answers with an error, or with something else out of place."""
        match answer:
            case ["error", str(message)]:
                self._process.close()
                kind = OutOfMemory if is_about_memory(message) else SolverFailure
                return kind(f"solver {self.command!r} says: {string_value(message)}")
            case _:
                return self._process.nonsense(expression_text(answer))

    def query(self, commands: Sequence[str], query: str, deadline: float | None) -> Sexpr:
        """The answer to a query, after all commands. Raises `OutOfTime`, `OutOfMemory` and `SolverFailure`."""
        if not self._process.alive:
            self._process.close()
            self._process = SolverProcess(self.command, self.memory_mb)
            self.starts += 1
            self.sent = 0
            self._greet()
        news = "\n".join([*commands[self.sent :], query, ""])
        self.sent = len(commands)
        return self._process.ask(news, deadline)

    def kill(self) -> None:
        """From any thread."""
        self._process.kill()

    def close(self) -> None:
        self._process.close()
