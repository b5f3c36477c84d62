"""Witnesses of verification results, as the software-verification competition exchanges them: a violation is a sequence
of waypoints that lead to it, correctness a set of invariants."""

from __future__ import annotations

from paddock.frozen import frozen

VIOLATION, CORRECTNESS = "violation", "correctness"
# Kinds of waypoints, by the names of the format.
ASSUMPTION, BRANCHING, TARGET = "assumption", "branching", "target"
FUNCTION_ENTER, FUNCTION_RETURN = "function_enter", "function_return"
FOLLOW, AVOID = "follow", "avoid"
REFUSED = "the witness is refused"  # how the reason starts where a check comes to that
INVARIANT = "__paddock_invariant_"  # with its number: the function that asserts it in the program that is checked
RESULT = "\\result"  # what a function returns, in the constraint of a waypoint


class UnreadableWitness(Exception):
    """The text is no witness, or one of a kind that is not known here."""


@frozen
class Place:
    """Where a waypoint or an invariant is. A column of 0 is any one of the line."""

    file: str
    line: int
    column: int = 0
    function: str = ""


@frozen
class Waypoint:
    """A place that a run passes where a constraint holds: an expression of C; `true` or `false` at a branch."""

    kind: str
    place: Place
    constraint: str = ""
    action: str = FOLLOW


@frozen
class Invariant:
    """An expression of C that holds whenever a run comes to a place; of a loop, to its head."""

    place: Place
    value: str
    is_loop: bool


@frozen
class Task:
    """The program and the property that a witness is about. Hashes are SHA-256, in old witnesses SHA-1, by the names of
    the files."""

    files: tuple[str, ...]
    hashes: tuple[tuple[str, str], ...] = ()
    specification: str = ""
    data_model: str = ""  # ILP32 or LP64


@frozen
class Witness:
    """A witness. Each segment of a violation ends in the waypoint to follow; those before it are to be avoided."""

    kind: str
    task: Task
    segments: tuple[tuple[Waypoint, ...], ...] = ()
    invariants: tuple[Invariant, ...] = ()
