"""Any solver that reads SMT-LIB 2 on its standard input."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import cast

from paddock.solvers.derived import Closing
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
from paddock.solvers.smtlib.declarations import TextFunction
from paddock.solvers.smtlib.dialogue import Dialogue
from paddock.solvers.smtlib.process import OutOfMemory, OutOfTime, is_about_memory
from paddock.solvers.smtlib.script import Script
from paddock.solvers.smtlib.text import Node, term_text
from paddock.solvers.smtlib.values import Definition, ValueReader
from paddock.solvers.values import FunctionTable, Value


class SmtLibSolver(Closing):
    """A script, and a process that it is sent to."""

    def __init__(
        self, command: str, seed: int = 0, memory_mb: int | None = None, *, effort: float | None = None
    ) -> None:
        self.name = command
        self.terms = Script()
        self._effort = math.inf if effort is None else effort  # seconds
        self._interrupted = False
        self._dialogue = Dialogue(command, seed, memory_mb)
        self._assumptions: tuple[Term, ...] = ()
        self._last = Status.UNKNOWN
        self._model: _SmtLibModel | None = None
        self._queries = 0

    def assert_(self, term: Term) -> None:
        self._drop_model()
        self.terms.assert_(term)

    def check(self, assumptions: Sequence[Term] = (), timeout: float | None = None) -> Answer:
        self._drop_model()
        self._last = Status.UNKNOWN
        self._assumptions = tuple(assumptions)
        self._queries += 1
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
        literals = " ".join([term_text(cast(Node, a)) for a in self._assumptions])
        query = f"(check-sat-assuming ({literals}))" if literals else "(check-sat)"
        match self._dialogue.query(self.terms.commands, query, deadline):
            case "sat":
                self._last = Status.SAT
                self._model = _SmtLibModel(self.terms, self._dialogue)
                return Answer(Status.SAT, has_model=True)
            case "unsat":
                self._last = Status.UNSAT
                return Answer(Status.UNSAT)
            case "unknown":
                return self._unknown()
            case "timeout":
                return Answer(Status.UNKNOWN, TIME_LIMIT)
            case answer:
                raise self._dialogue.complaint(answer)

    def _unknown(self) -> Answer:
        match self._dialogue.ask("(get-info :reason-unknown)\n"):
            case [":reason-unknown", str(word)]:
                reason = string_value(word) if word.startswith('"') else symbol_name(word)
            case [":reason-unknown", answer] | answer:
                reason = expression_text(answer)
        if is_about_memory(reason) or reason == "memout":
            return Answer(Status.UNKNOWN, MEMORY_LIMIT)
        if "incomplete" in reason.lower():
            self._model = _SmtLibModel(self.terms, self._dialogue)
            return Answer(Status.UNKNOWN, INCOMPLETE, has_model=True)
        return Answer(Status.UNKNOWN, reason)

    def model(self) -> Model:
        if self._model is None:
            raise SolverFailure(f"solver {self.name!r}: the last answer has no model")
        return self._model

    def _drop_model(self) -> None:
        if self._model is not None:
            self._model.is_current = False
            self._model = None

    def unsat_core(self) -> list[Term]:
        if self._last is not Status.UNSAT or not self._assumptions:
            return []
        answer = self._dialogue.ask("(get-unsat-assumptions)\n")
        if not isinstance(answer, list) or answer[:1] == ["error"]:
            raise self._dialogue.complaint(answer)
        core = {_literal(a) for a in answer}
        return [a for a in self._assumptions if _literal(parse(term_text(cast(Node, a)))[0]) in core]

    def refutation(self, assumptions: Sequence[Term], timeout: float | None, effort: float) -> list[Term] | None:
        return None

    def statistics(self) -> dict[str, float]:
        return {"queries": float(self._queries), "starts": float(self._dialogue.starts)}

    def decide_in_order(self) -> None:
        pass  # what there is to choose from differs too much

    def effort(self) -> float:
        return float(self._queries)

    def another(self, thorough: bool = False, effort: float | None = None) -> Solver:
        like = self._dialogue
        return SmtLibSolver(self.name, like.seed, like.memory_mb, effort=effort)

    def interrupt(self) -> None:
        self._interrupted = True
        self._dialogue.kill()

    def close(self) -> None:
        self._dialogue.close()


class _SmtLibModel:
    """The model that the process has; valid until the next `assert_` or `check`."""

    def __init__(self, script: Script, dialogue: Dialogue) -> None:
        self._dialogue = dialogue
        self.is_current = True
        self._definitions: dict[str, Definition] | None = None
        self._reader = ValueReader(script.declared.constructors, self._definition)

    def value(self, term: Term) -> Value:
        return self.values([term])[0]

    def values(self, terms: Sequence[Term]) -> list[Value]:
        self._check_current()
        if not terms:
            return []
        # A command other than a question would make the process forget its model.
        texts = [term_text(cast(Node, t), self._dialogue.sent) for t in terms]
        answer = self._dialogue.ask(f"(get-value ({' '.join(texts)}))\n")
        if not isinstance(answer, list) or len(answer) != len(terms) or any(len(pair) != 2 for pair in answer):
            raise self._dialogue.complaint(answer)
        return [self._reader.read(pair[1], cast(Node, t).sort) for pair, t in zip(answer, terms, strict=True)]

    def function(self, function: Function) -> FunctionTable:
        declared = cast(TextFunction, function)
        definition = self._definition(symbol_name(declared.head))
        if definition is None:
            return FunctionTable({}, None)
        return self._reader.function(definition, declared.domain, declared.range)

    def _definition(self, name: str) -> Definition | None:
        """A function of the model."""
        if self._definitions is None:
            self._check_current()
            self._definitions = self._read_definitions()
        return self._definitions.get(name)

    def _read_definitions(self) -> dict[str, Definition]:
        answer = self._dialogue.ask("(get-model)\n")
        if not isinstance(answer, list) or answer[:1] == ["error"]:
            raise self._dialogue.complaint(answer)
        result: dict[str, Definition] = {}
        for item in answer:
            match item:
                case ["define-fun", name, list(parameters), _, body]:
                    result[symbol_name(name)] = Definition(tuple(str(p[0]) for p in parameters), body)
        return result

    def _check_current(self) -> None:
        if not self.is_current:
            command = self._dialogue.command
            raise SolverFailure(f"solver {command!r}: the model is gone, for the solver has been used since")


def _literal(expression: Sexpr) -> tuple[bool, str]:
    """A literal as its sign and the name of its constant."""
    match expression:
        case ["not", atom]:
            return False, symbol_name(atom)
        case _:
            return True, symbol_name(expression)
