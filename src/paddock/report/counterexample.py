"""A counterexample as plain data: what a run does step by step, who has called whom, and what was chosen for it.

Nothing in it refers to the program or to a solver, so that it can be sent to another process and shown in any form.
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frozen import field, frozen

Data = bool | int | str | None

MOST_BITS = 64  # of a whole number that is given as one: not all who read JSON can read longer ones


@frozen
class TypedValue:
    """A value and its type, both as the language of the program writes them. `data` is the value itself if it is a
    truth value, a whole number (for bit-vectors in Boogie the unsigned one) or a string; None if it is something
    else."""

    text: str
    type: str = ""
    data: Data = None

    def __str__(self) -> str:
        return self.text


def plain(value: object) -> Data:
    """A value as data, if that is possible."""
    match value:
        case bool() | str():
            return value
        case int() if value.bit_length() <= MOST_BITS:
            return value
        case _:
            return None


@frozen
class Activation:
    """A procedure that was called: where that was (nowhere for the first one of a thread), and by which activation, as
    its position in the counterexample's table."""

    procedure: str
    file: str = ""
    line: int = 0
    column: int = 0
    caller: int | None = None


@frozen
class TraceStep:
    """One step of a counterexample.

    `kind` says what happens there (`start`, `statement`, `branch`, `call`, `return`, `fail`; `thread` where one is
    started, `switch` where another goes on), `text` says it in the words of the program, and `source` is the line of
    the file. `values` are the variables worth seeing, written as the language of the program writes them; `before`
    has the values that those which the step changes had before it, as far as they are known. `depth` counts the calls
    above the step, and `activation` is the position in the counterexample's table of the one that is running.
    `thread` counts the threads in the order of their creation, `context` the contexts of the run. Of a branch on a
    condition, `taken` says whether that holds, if the language knows.
    """

    file: str
    line: int
    procedure: str
    kind: str
    values: Mapping[str, TypedValue] = field(default_factory=dict)
    depth: int = 0
    column: int = 0
    text: str = ""
    source: str = ""
    thread: int = 0
    context: int = 0
    before: Mapping[str, TypedValue] = field(default_factory=dict)
    activation: int = 0
    taken: bool | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The values as texts."""
        return {name: value.text for name, value in self.values.items()}


@frozen
class Choice:
    """Something that the program leaves open, and what it is in this run.

    `kind` says what it is: `initial` (the value of a variable at the start), `havoc`, `uninitialised` (a local variable
    that is read before it is written, if a step shows it), `result` (of a procedure without a body, or a variable that
    it may change), `input` (of a C program, what a function of the library such as `getchar` gives), `allocation`
    (whether one fails) or `jump` (to one of several labels, without a condition). `step` is how many steps come before
    it.
    """

    kind: str
    name: str
    value: TypedValue
    file: str = ""
    line: int = 0
    column: int = 0
    thread: int = 0
    step: int = 0


@frozen
class Counterexample:
    """A run that violates an assertion (or returns, if that was asked), shown in the language of the program. `harness`
    is code that makes it happen when compiled, if that was asked for."""

    steps: tuple[TraceStep, ...]
    activations: tuple[Activation, ...] = ()
    choices: tuple[Choice, ...] = ()
    harness: str = ""

    def stack(self, step: TraceStep) -> tuple[Activation, ...]:
        """The call stack at a step: the first activation of the thread first, the one that is running last."""
        found: list[Activation] = []
        at: int | None = step.activation if step.activation < len(self.activations) else None
        while at is not None:
            found.append(self.activations[at])
            at = self.activations[at].caller
        return tuple(reversed(found))
