"""The result of a check as plain data: strings and numbers only, so that any report can be made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """The answer to a check."""

    BUG = "bug"  # a violation, with a trace that was replayed
    PROVED = "proved"  # no violation at any bound
    BOUNDED = "bounded"  # no violation up to the bound; something was cut off there
    UNKNOWN = "unknown"  # time, memory or the solver gave out


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of a counterexample.

    `kind` says what happens there (`start`, `statement`, `branch`, `call`, `return`, `fail`), `text` says it in the
    words of the program, and `source` is the line of the file. `values` are the variables worth seeing, written as
    the language of the program writes them. `depth` counts the calls above the step. `thread` counts the threads in the
    order of their creation, `context` the contexts of the run.
    """

    file: str
    line: int
    procedure: str
    kind: str
    values: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0
    column: int = 0
    text: str = ""
    source: str = ""
    thread: int = 0
    context: int = 0


@dataclass(frozen=True, slots=True)
class AssertionResult:
    """One assertion of the program and what is known of it.

    `id` stays the same when other parts of the program change. `kind` is `assert`, `requires` (at one call), `ensures`,
    `invariant` or the like, `text` the condition. `trace` shows how it fails; `reason` says why nothing is known;
    `region` is the part of the program that sufficed for a proof, if it was not the whole. Where assertions were
    checked one by one, `how` says by which this one is known: `checked`, `implied by …` or `refuted through …`.
    """

    id: str
    file: str
    line: int
    verdict: Verdict
    column: int = 0
    procedure: str = ""
    kind: str = "assert"
    text: str = ""
    reason: str = ""
    trace: tuple[TraceStep, ...] = ()
    region: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found. `bound` is the recursion bound that was completed, None if none was.

    Without `all_assertions`, the check ended with the first bug, and nothing is known of the other assertions then.
    With `independent`, each was judged as if the others were not there, else on executions on which those before hold.
    """

    files: tuple[str, ...]
    entry: str
    goal: str
    verdict: Verdict
    engine: str
    bound: int | None = None
    reason: str = ""
    time_s: float = 0.0
    stats: Mapping[str, int | float] = field(default_factory=dict)
    assertions: tuple[AssertionResult, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    all_assertions: bool = False
    independent: bool = False
    warnings: tuple[str, ...] = ()  # what the verdict rests on that the user should know
    notes: tuple[str, ...] = ()  # what was inferred of the program, if the user asked for it
    harness: str = ""  # of a bug in a C program: code that makes it happen when compiled, if that was asked for
    tool: str = "paddock"
    version: str = ""
