"""The witness of a result: of a bug the results of nondeterministic calls, the branches and the target; of a proof the
invariants of loops, if it has any; the empty set of them says that there is a proof.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from paddock.report.counterexample import Choice, Counterexample
from paddock.report.details import INVARIANT
from paddock.report.failures import failures
from paddock.report.result import Result, Verdict
from paddock.report.witnesses import (
    BRANCHING,
    CORRECTNESS,
    FUNCTION_RETURN,
    RESULT,
    TARGET,
    VIOLATION,
    Invariant,
    Place,
    Task,
    Waypoint,
    Witness,
)

# The properties of the competition, by the kinds of assertions.
SPECIFICATIONS = {
    "unreach": "G ! call(reach_error())",
    "overflow": "G ! overflow",
    "pointer": "G valid-deref",
    "bounds": "G valid-deref",
    "leak": "G valid-memtrack",
    "race": "G ! data-race",
}
ASSERTIONS = "G ! call(__assert_fail())"
MOST_LINES = 20  # that a statement with a call is looked for in


def witness_of(result: Result) -> Witness | None:
    """The witness of a result; None if that is neither a bug nor a proof."""
    if not result.files or not all(file.endswith((".c", ".i")) for file in result.files):
        return None
    found = failures(result)
    if found:
        kind = found[0].kind
        segments = tuple((point,) for point in _waypoints(found[0].counterexample))
        return Witness(VIOLATION, _task(result, kind), segments)
    if result.verdict is not Verdict.PROVED:
        return None
    kinds = [assertion.kind for assertion in result.assertions]
    return Witness(CORRECTNESS, _task(result, kinds[0] if kinds else "unreach"), invariants=tuple(_invariants(result)))


def _invariants(result: Result) -> Iterator[Invariant]:
    """The invariants of loops that the proof has, as far as they are expressions of C at the words that the format
    names loops by."""
    texts = _Texts()
    for ground in result.details.grounds if result.details is not None else ():
        place = Place(ground.file, ground.line, ground.column)
        is_c = "\\" not in ground.text and "==>" not in ground.text
        if ground.kind == INVARIANT and is_c and texts.has_branch(place):
            yield Invariant(place, ground.text, is_loop=True)


def _task(result: Result, kind: str) -> Task:
    hashes = []
    for file in result.files:
        try:
            hashes.append((file, hashlib.sha256(Path(file).read_bytes()).hexdigest()))
        except OSError:
            hashes.append((file, ""))
    formula = SPECIFICATIONS.get(kind, ASSERTIONS)
    entry = result.entry or "main"
    return Task(result.files, tuple(hashes), f"CHECK( init({entry}()), LTL({formula}) )", result.data_model.upper())


class _Texts:
    """The files that a run passes, by line."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        if file not in self._lines:
            try:
                self._lines[file] = Path(file).read_text(encoding="utf-8", errors="surrogateescape").split("\n")
            except OSError:
                self._lines[file] = []
        return self._lines[file]

    def has_branch(self, place: Place) -> bool:
        """Whether a place is at the word that the format names branches by."""
        lines = self.lines(place.file)
        if not (0 < place.line <= len(lines) and place.column):
            return False
        return re.match(r"(?:if|while|for|do)\b", lines[place.line - 1][place.column - 1 :]) is not None


def _waypoints(run: Counterexample) -> Iterator[Waypoint]:
    """What determines a run: results of calls where they are chosen, directions of branches, and its end."""
    texts = _Texts()
    chosen: dict[int, list[Choice]] = {}
    for choice in run.choices:
        if choice.kind in ("result", "input") and choice.name.endswith("()") and isinstance(choice.value.data, int):
            chosen.setdefault(choice.step, []).append(choice)
    used: dict[tuple[str, int, int, str], int] = {}  # how often a statement has called a function
    for number, step in enumerate(run.steps):
        for choice in chosen.get(number, ()):
            key = choice.file, choice.line, choice.column, choice.name
            ends = _call_ends(choice, step.procedure, texts)
            if ends:
                yield Waypoint(FUNCTION_RETURN, ends[used.get(key, 0) % len(ends)], f"{RESULT} == {_literal(choice)}")
            used[key] = used.get(key, 0) + 1
        place = Place(step.file, step.line, step.column, step.procedure)
        if step.taken is not None and texts.has_branch(place):
            yield Waypoint(BRANCHING, place, "true" if step.taken else "false")
    last = run.steps[-1]
    yield Waypoint(TARGET, Place(last.file, last.line, last.column, last.procedure))


def _literal(choice: Choice) -> str:
    """A whole number as C writes it, whatever its type."""
    value = int(choice.value.data or 0)
    if value == -(2**63):
        return f"(-{2**63 - 1}LL - 1)"
    suffix = (
        "ULL" if value >= 2**63 else "LL" if abs(value) >= 2**31 else "U" if "unsigned" in choice.value.type else ""
    )
    return f"{value}{suffix}"


def _call_ends(choice: Choice, procedure: str, texts: _Texts) -> list[Place]:
    """The closing parentheses of the calls of a function in one statement."""
    lines = texts.lines(choice.file)
    name = re.compile(rf"\b{re.escape(choice.name.removesuffix('()'))}\s*\(\s*(?:void\s*)?\)")
    start = max(choice.column - 1, 0)
    found: list[Place] = []
    for line in range(choice.line, min(choice.line + MOST_LINES, len(lines) + 1)):
        text = lines[line - 1]
        end = text.find(";", start)
        calls = name.finditer(text, start, end if end >= 0 else len(text))
        found += [Place(choice.file, line, call.end(), procedure) for call in calls]
        if end >= 0:
            break
        start = 0
    return found
