"""The assertions of a program one by one: their names, which of them an execution violates, what is known of each.

An assertion of the source is one of the user's, a precondition at one call, a postcondition, a loop invariant. It has
an `AssertionId` since it was read; copies that passes make of it count as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from paddock.engines.scope import Scope
from paddock.frozen import field, frozen, mutable
from paddock.ir.expr import Attribute
from paddock.ir.lexical import unescaped
from paddock.ir.names import FreshNames
from paddock.ir.origin import AssertionId, Role
from paddock.ir.printer import expr_text
from paddock.ir.program import Program, find_attribute
from paddock.ir.stmt import Assert, Assign, Assume, Call, Goto
from paddock.passes.check_specs import check_specs, ensures_id, requires_id
from paddock.trace.path import Path
from paddock.trace.run import Failed, Run, contract_of

if TYPE_CHECKING:
    from paddock.engines.inlining.needed import Needs
    from paddock.passes.invariant_candidates import Invariants

HASH_DIGITS = 6


@frozen
class Assertion:
    """An assertion of the source. Its `id` stays when other parts of the program change: it is made of the
    procedure, the kind and the condition, or given by the user as `{:id "…"}`."""

    id: str
    source: AssertionId
    procedure: str
    kind: str
    text: str


@mutable
class Findings:
    """What is known of single assertions, by their sources: executions that violate them, reasons why nothing is
    known, those that cannot fail at any bound, or within the bounds. A search adds to it as it goes: nothing is lost if
    it is ended. Where assertions are checked one by one, `through` has the assertions by which each is known, none for
    those that were checked themselves, and `implied` those that imply it."""

    bugs: dict[AssertionId, Run] = field(default_factory=dict)
    undecided: dict[AssertionId, str] = field(default_factory=dict)
    proved: dict[AssertionId, None] = field(default_factory=dict)
    bounded: dict[AssertionId, None] = field(default_factory=dict)
    through: dict[AssertionId, tuple[AssertionId, ...]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    implied: dict[AssertionId, tuple[AssertionId, ...]] = field(default_factory=dict)
    invariants: Invariants | None = None  # of loops, that a proof needs or may need
    scope: Scope | None = None  # of the last search, if it is to be explained
    needs: Needs | None = None  # which conditions its proof needs

    def known(self) -> list[AssertionId]:
        """The assertions of which there is no more to find out."""
        return [*self.bugs, *self.undecided, *self.proved]


def assertions_in(program: Program) -> tuple[Assertion, ...]:
    """The assertions of a program as the user wrote it, in the order of the source."""
    found: dict[AssertionId, tuple[str, Assert]] = {}
    for procedure, statement in _asserted(check_specs(program)):
        found.setdefault(statement.origin.identity(), (procedure, statement))
    from hashlib import sha256  # which takes time to import

    numbered = FreshNames(())
    assertions = []
    for source in sorted(found, key=lambda o: (o.file, o.line, o.column)):
        procedure, statement = found[source]
        kind, text = _kind(source), _text(statement)
        given = _given_id(statement)
        if not given:
            name = f"{procedure}.{kind}.{sha256(text.encode()).hexdigest()[:HASH_DIGITS]}"
        else:
            # A precondition is checked at many calls.
            name = f"{procedure}.{given}" if kind == "requires" else given
        assertions.append(Assertion(numbered(name), source, procedure, kind, text))
    return tuple(assertions)


def sources_in(prepared: Program) -> set[AssertionId]:
    """The sources of the assertions in a program whose contracts have been spelled out."""
    return {statement.origin.identity() for _, statement in _asserted(prepared)}


def violated(original: Program, outcome: Failed) -> AssertionId:
    """The source of the assertion that a run of the original ends in."""
    what = outcome.what
    if isinstance(what, Assert):
        return what.origin.identity()
    _, kind, _ = contract_of(original, what)
    return ensures_id(what) if kind == "ensures" else requires_id(outcome.origin, what)


def claimed(program: Program, path: Path) -> AssertionId | None:
    """The source of the assertion at which a path of a program with an error bit sets the bit."""
    activation = path.root
    while True:
        body = program.procedure_named[activation.procedure].body
        assert body is not None
        blocks = {b.label: b for b in body.blocks}
        for visit, following in pairwise(activation.visits):
            block = blocks[visit.label]
            match block.transfer:
                case Goto((failed, _), origin=origin) if origin.role is Role.ERROR_TEST and following.label == failed:
                    # Only what passes have added comes after the assertion or the call.
                    last = max(k for k, s in enumerate(block.statements) if isinstance(s, Assign | Call))
                    if isinstance(block.statements[last], Assign):
                        return block.statements[last].origin.identity()
                    if last not in visit.calls:
                        return None
                    activation = visit.calls[last]
                    break
        else:
            return None


def failing_at(program: Program, path: Path) -> AssertionId | None:
    """The source of the assertion at which a path of a program of `failing_returns` ends."""
    activation = path.root
    while activation.visits:
        body = program.procedure_named[activation.procedure].body
        assert body is not None
        visit = activation.visits[-1]
        block = next(b for b in body.blocks if b.label == visit.label)
        for k in range(len(block.statements) - 1, -1, -1):
            if k in visit.calls:
                activation = visit.calls[k]
                break
            if isinstance(block.statements[k], Assume) and block.statements[k].origin.role is not Role.FACT:
                return block.statements[k].origin.identity()
        else:
            return None
    return None


def _asserted(program: Program) -> Iterator[tuple[str, Assert]]:
    """The assertions as statements, each with the procedure that it is in."""
    for procedure in program.procedures:
        for implementation in procedure.implementations:
            for block in implementation.blocks:
                for statement in block.statements:
                    if isinstance(statement, Assert):
                        yield procedure.name, statement


def _kind(source: AssertionId) -> str:
    """What an assertion is, in a word: `assert`, `requires`, `ensures`, `invariant`, …"""
    return source.role.split()[-1] if source.role else "assert"


def _text(statement: Assert) -> str:
    """What is asserted: the condition, or what the check of a C program that made it says; of a goal what is to be
    reached."""
    match find_attribute(statement.attributes, "goal"):
        case Attribute(params=(_, str(goal))):
            return unescaped(goal)
    match find_attribute(statement.attributes, "kind"), find_attribute(statement.attributes, "msg"):
        case Attribute(), Attribute(params=(str(message), *_)):
            return unescaped(message)
        case _:
            return expr_text(statement.condition)


def _given_id(statement: Assert) -> str:
    """The user's `{:id "…"}`."""
    attribute = find_attribute(statement.attributes, "id")
    match attribute.params if attribute else ():
        case (str(given), *_):
            return given
        case _:
            return ""
