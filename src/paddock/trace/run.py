"""A run of a program as data: its steps, and how it ended."""

from __future__ import annotations

from enum import Enum

from paddock.frozen import field, frozen
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import Clause, Procedure, Program, VarDecl
from paddock.ir.stmt import Assert, Assume, Statement
from paddock.trace.values import Value


@frozen
class Returned:
    """The entry procedure returned."""

    def __str__(self) -> str:
        return "it returns"


@frozen
class Failed:
    """An assertion, a `requires` at a call or an `ensures` at an exit was false. `origin` is where the run
    was: at the assertion, the call or the `return`."""

    what: Assert | Clause
    procedure: str
    origin: Origin = NOWHERE

    def __str__(self) -> str:
        return f"it fails at {self.origin}"


@frozen
class Blocked:
    """An assumption was false (`what` is None for a `goto` without targets): no such execution exists."""

    what: Assume | Clause | VarDecl | None
    procedure: str
    origin: Origin = NOWHERE

    def __str__(self) -> str:
        return f"the assumption at {self.origin} is false"


@frozen
class Cut:
    """A limit was reached: `steps`, `depth`, `recursion` or `visits`."""

    limit: str

    def __str__(self) -> str:
        return f"it is cut off by the limit on {self.limit}"


@frozen
class Undetermined:
    """Something could not be evaluated or is not a sequential program."""

    reason: str
    origin: Origin = NOWHERE

    def __str__(self) -> str:
        return f"{self.reason}, at {self.origin}" if self.origin != NOWHERE else self.reason


Outcome = Returned | Failed | Blocked | Cut | Undetermined


class Kind(Enum):
    STATEMENT = "statement"
    BRANCH = "branch"
    CALL = "call"
    RETURN = "return"
    FAIL = "fail"
    THREAD = "thread"  # an asynchronous call
    ITERATIONS = "iterations"  # of a loop, many at once: with the values of what they have changed
    SWITCH = "switch"  # another thread goes on: with the globals that have changed since it ran last


@frozen
class Step:
    """One step of a run: where it was (`index` counts the block's statements, the transfer after them),
    and the values that it read or wrote. `target` is the label or procedure it went to. `thread` counts the threads in
    the order of their creation, `context` the contexts of the run: a sequential run is one context of thread 0.
    `iterations` is how many of a loop a step stands for."""

    kind: Kind
    procedure: str
    label: str
    index: int
    depth: int
    statement: Statement | None = None
    target: str = ""
    values: dict[str, Value] = field(default_factory=dict)
    thread: int = 0
    context: int = 0
    iterations: int = 0


def iterations_text(step: Step) -> str:
    """What a step says that stands for iterations of a loop."""
    return f"… {step.iterations:,} more iterations"


@frozen
class Script:
    """All that was left to chance in a sequential run, in order: the targets of jumps, and arbitrary values."""

    choices: tuple[str, ...]
    values: tuple[Value, ...]


@frozen
class Run:
    """What happened: how the run ended, its steps if they were recorded, the globals at the end, and the globals and
    the parameters of the entry at the start (without those that nothing ever read). With its `script`, if it has one,
    it can be run again."""

    outcome: Outcome
    steps: tuple[Step, ...]
    length: int
    globals: dict[str, Value]
    initial: dict[str, Value] = field(default_factory=dict)
    script: Script | None = None


def contract_of(program: Program, clause: Clause) -> tuple[Procedure, str, int]:
    """The procedure that a clause of the program belongs to, `requires` or `ensures`, and which of them it is."""
    for procedure in program.procedures:
        for clauses, kind in ((procedure.requires, "requires"), (procedure.ensures, "ensures")):
            for n, candidate in enumerate(clauses):
                if candidate is clause:
                    return procedure, kind, n
    raise ValueError("the clause is not of this program")
