"""Any solver that reads SMT-LIB 2 on its standard input.

The commands so far are kept, so that a solver that had to be killed (a time limit is kept by force) is started again
and sent everything once more when the next query comes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self, cast

from paddock.solvers.interface import (
    INCOMPLETE,
    INTERRUPTED,
    MEMORY_LIMIT,
    TIME_LIMIT,
    Answer,
    Function,
    Model,
    Solver,
    SolverFailure,
    Status,
    Term,
)
from paddock.solvers.sexpr import Sexpr, expression_text, parse, string_value, symbol_name
from paddock.solvers.smtlib.process import OutOfMemory, OutOfTime, SolverProcess, is_about_memory
from paddock.solvers.smtlib.script import Script, TextFunction
from paddock.solvers.smtlib.text import Node, term_text
from paddock.solvers.smtlib.values import Definition, ValueReader
from paddock.solvers.values import FunctionTable, Value

_PATIENCE = 30.0  # seconds within which a solver must answer what is no query

# Settings that some solvers need, by the name that they give themselves; they are those that they have in process.
_OPTIONS = {
    "Z3": ("(set-option :auto_config false)", "(set-option :smt.mbqi false)"),
    "cvc5": ("(set-option :arrays-exp true)", "(set-option :dt-nested-rec true)", "(set-option :dag-thresh 0)"),
}
# Z3 uses its incremental solver, which alone has candidate models, once there is a push.
_AFTER_LOGIC = {"Z3": ("(push 1)",)}


class SmtLibSolver(Script):
    """A script, and a process that it is sent to."""

    def __init__(self, command: str, seed: int = 0, memory_mb: int | None = None, *, effort: float = math.inf) -> None:
        super().__init__()
        self.name = command
        self._seed = seed
        self._memory_mb = memory_mb
        self._effort = effort  # seconds
        self._interrupted = False
        self._process = SolverProcess(command, memory_mb)
        self._greet()
        self._sent = 0  # how many commands the process knows
        self._assumptions: tuple[Term, ...] = ()
        self._last = Status.UNKNOWN
        self._model: _SmtLibModel | None = None
        self._counts = {"queries": 0.0, "starts": 1.0}

    def _greet(self) -> None:
        """Makes sure that this is a solver, and sets its options."""
        match self._ask("(set-option :print-success false)\n(get-info :name)\n"):
            case [":name", str(atom)]:
                name = string_value(atom)
            case "unsupported" | ["error", _]:
                name = ""
            case answer:
                raise self._process.nonsense(expression_text(answer))
        options = [
            "(set-option :produce-models true)",
            "(set-option :produce-unsat-assumptions true)",
            f"(set-option :random-seed {self._seed})",
            *_OPTIONS.get(name, ()),
            "(set-logic ALL)",
            *_AFTER_LOGIC.get(name, ()),
            '(echo "ready")',
        ]
        reply = self._ask("\n".join(options) + "\n")
        while reply == "unsupported":
            reply = self._ask("")
        if reply not in ("ready", '"ready"'):
            raise self._complaint(reply)

    def _ask(self, text: str) -> Sexpr:
        try:
            return self._process.ask(text, time.monotonic() + _PATIENCE)
        except OutOfTime:
            raise SolverFailure(f"solver {self.name!r} does not answer") from None

    def _complaint(self, answer: Sexpr) -> SolverFailure:
        """The failure of a solver that answers with an error, or with something else out of place."""
        match answer:
            case ["error", str(message)]:
                self._process.close()
                kind = OutOfMemory if is_about_memory(message) else SolverFailure
                return kind(f"solver {self.name!r} says: {string_value(message)}")
            case _:
                return self._process.nonsense(expression_text(answer))

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._model = None
        self._last = Status.UNKNOWN
        self._assumptions = tuple(assumptions)
        self._counts["queries"] += 1
        seconds = min(self._effort, math.inf if timeout is None else timeout)
        try:
            return self._answer(None if seconds == math.inf else time.monotonic() + seconds)
        except OutOfTime:
            return Answer(Status.UNKNOWN, TIME_LIMIT)
        except OutOfMemory:
            return Answer(Status.UNKNOWN, MEMORY_LIMIT)
        except SolverFailure:
            if self._interrupted:
                return Answer(Status.UNKNOWN, INTERRUPTED)
            raise

    def _answer(self, deadline: float | None) -> Answer:
        if self._interrupted:
            return Answer(Status.UNKNOWN, INTERRUPTED)
        if not self._process.alive:
            self._process.close()
            self._process = SolverProcess(self.name, self._memory_mb)
            self._counts["starts"] += 1
            self._sent = 0
            self._greet()
        literals = " ".join([term_text(cast(Node, a)) for a in self._assumptions])
        query = f"(check-sat-assuming ({literals}))" if literals else "(check-sat)"
        news = "\n".join([*self.commands[self._sent :], query, ""])
        self._sent = len(self.commands)
        match self._process.ask(news, deadline):
            case "sat":
                self._last = Status.SAT
                self._model = _SmtLibModel(self)
                return Answer(Status.SAT, has_model=True)
            case "unsat":
                self._last = Status.UNSAT
                return Answer(Status.UNSAT)
            case "unknown":
                return self._unknown()
            case "timeout":
                return Answer(Status.UNKNOWN, TIME_LIMIT)
            case answer:
                raise self._complaint(answer)

    def _unknown(self) -> Answer:
        match self._ask("(get-info :reason-unknown)\n"):
            case [":reason-unknown", str(word)]:
                reason = string_value(word) if word.startswith('"') else symbol_name(word)
            case [":reason-unknown", answer] | answer:
                reason = expression_text(answer)
        if is_about_memory(reason) or reason == "memout":
            return Answer(Status.UNKNOWN, MEMORY_LIMIT)
        if "incomplete" in reason.lower():
            self._model = _SmtLibModel(self)
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        return Answer(Status.UNKNOWN, reason)

    def model(self) -> Model:
        if self._model is None:
            raise SolverFailure(f"solver {self.name!r}: the last answer has no model")
        return self._model

    def assert_(self, term: Term) -> None:
        self._model = None
        super().assert_(term)

    def unsat_core(self) -> list[Term]:
        if self._last is not Status.UNSAT or not self._assumptions:
            return []
        answer = self._ask("(get-unsat-assumptions)\n")
        if not isinstance(answer, list) or answer[:1] == ["error"]:
            raise self._complaint(answer)
        core = {_literal(a) for a in answer}
        return [a for a in self._assumptions if _literal(parse(term_text(cast(Node, a)))[0]) in core]

    def values(self, model: _SmtLibModel, terms: Sequence[Term]) -> list[Sexpr]:
        """What the process says the terms' values are."""
        self._check_current(model)
        if not terms:
            return []
        # A command other than a question would make the process forget its model.
        texts = [term_text(cast(Node, t), self._sent) for t in terms]
        answer = self._ask(f"(get-value ({' '.join(texts)}))\n")
        if not isinstance(answer, list) or len(answer) != len(terms) or any(len(pair) != 2 for pair in answer):
            raise self._complaint(answer)
        return [pair[1] for pair in answer]

    def definitions(self, model: _SmtLibModel) -> dict[str, Definition]:
        """The functions of the process's model."""
        self._check_current(model)
        answer = self._ask("(get-model)\n")
        if not isinstance(answer, list) or answer[:1] == ["error"]:
            raise self._complaint(answer)
        result: dict[str, Definition] = {}
        for item in answer:
            match item:
                case ["define-fun", name, list(parameters), _, body]:
                    result[symbol_name(name)] = Definition(tuple(str(p[0]) for p in parameters), body)
        return result

    def _check_current(self, model: _SmtLibModel) -> None:
        if model is not self._model:
            raise SolverFailure(f"solver {self.name!r}: the model is gone, for the solver has been used since")

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        return None

    def statistics(self) -> dict[str, float]:
        return dict(self._counts)

    def decide_in_order(self) -> None:
        pass  # what there is to choose from differs too much

    def effort(self) -> float:
        return float(self._counts["queries"])

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        return SmtLibSolver(self.name, self._seed, self._memory_mb, effort=math.inf if effort is None else effort)

    def interrupt(self) -> None:
        self._interrupted = True
        self._process.kill()

    def close(self) -> None:
        self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _SmtLibModel:
    """The model that the process has; valid until the next `assert_` or `check`."""

    def __init__(self, solver: SmtLibSolver) -> None:
        self._solver = solver
        self._definitions: dict[str, Definition] | None = None
        self._reader = ValueReader(solver.constructors, self._definition)

    def _definition(self, name: str) -> Definition | None:
        if self._definitions is None:
            self._definitions = self._solver.definitions(self)
        return self._definitions.get(name)

    def value(self, term: Term) -> Value:
        return self.values([term])[0]

    def values(self, terms: Sequence[Term]) -> list[Value]:
        texts = self._solver.values(self, terms)
        return [self._reader.read(text, cast(Node, term).sort) for text, term in zip(texts, terms, strict=True)]

    def function(self, function: Function) -> FunctionTable:
        declared = cast(TextFunction, function)
        definition = self._definition(symbol_name(declared.head))
        if definition is None:
            return FunctionTable({}, None)
        return self._reader.function(definition, declared.domain, declared.range)


def _literal(expression: Sexpr) -> tuple[bool, str]:
    """A literal as its sign and the name of its constant."""
    match expression:
        case ["not", atom]:
            return False, symbol_name(atom)
        case _:
            return True, symbol_name(expression)
