"""Every assertion gets an identity of its own, which it keeps through all passes up to the report.

    #define LIMITS(i, lo, hi) assert(i >= lo); assert(i <= hi)
    LIMITS(x, 0, 9);                         two assertions at one place: number 1 and number 2

An assertion is its place, its number among what stands there, and its role (see `AssertionId`). Calls and clauses are
numbered, too: preconditions are asserted at calls, and postconditions at exits. What has a number keeps it, so the
copies that passes make of an assertion are still that assertion if the program is looked at once more.

A procedure with type parameters is there once for each of the types that it is used at: its assertions are the same in
all these copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.origin import Origin
from paddock.ir.program import Clause, Implementation, Procedure, Program
from paddock.ir.stmt import Assert, Block, Call, ParCall, Statement


def identify_assertions(program: Program) -> Program:
    """The program in which each assertion, each call and each clause has a number; the same object if all have one."""
    numbering = _Numbering(program)
    procedures = tuple(map(numbering.procedure, program.procedures))
    return program if _are(procedures, program.procedures) else replace(program, procedures=procedures)


_Place = tuple[str, int, int]


def _place(origin: Origin) -> _Place:
    exact = origin.assertion or origin
    return exact.file, exact.line, exact.column


class _Numbering:
    """The numbers of what stands at each place: by the text that it is in, and how often that has the place."""

    def __init__(self, program: Program) -> None:
        self._generic = {_place(p.origin) for p in program.generic}
        self._numbers: dict[tuple[Hashable, _Place, int], int] = {}
        self._last: Counter[_Place] = Counter()
        self._seen: Counter[_Place] = Counter()
        self._text: Hashable = ""
        for origin in _origins(program):
            if origin.nth:
                self._last[_place(origin)] = max(origin.nth, self._last[_place(origin)])

    def procedure(self, procedure: Procedure) -> Procedure:
        place = _place(procedure.origin)
        self._text = place if place in self._generic else procedure.name
        self._seen.clear()
        requires = tuple(map(self._clause, procedure.requires))
        ensures = tuple(map(self._clause, procedure.ensures))
        bodies = tuple(map(self._body, procedure.implementations))
        given = (*procedure.requires, *procedure.ensures, *procedure.implementations)
        if _are((*requires, *ensures, *bodies), given):
            return procedure
        return replace(procedure, requires=requires, ensures=ensures, implementations=bodies)

    def _body(self, body: Implementation) -> Implementation:
        blocks = tuple(map(self._block, body.blocks))
        return body if _are(blocks, body.blocks) else replace(body, blocks=blocks)

    def _block(self, block: Block) -> Block:
        statements = tuple(map(self._statement, block.statements))
        return block if _are(statements, block.statements) else replace(block, statements=statements)

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Assert(origin=origin) if not origin.identity().nth or origin.assertion is None:
                numbered = self._numbered(origin)
                return replace(statement, origin=numbered.asserting(numbered.identity()))
            case Call(origin=origin) if not origin.nth:
                return replace(statement, origin=self._numbered(origin))
            case ParCall(calls=calls) if not all(call.origin.nth for call in calls):
                numbered_calls = (c if c.origin.nth else replace(c, origin=self._numbered(c.origin)) for c in calls)
                return replace(statement, calls=tuple(numbered_calls))
            case _:
                return statement

    def _clause(self, clause: Clause) -> Clause:
        return clause if clause.origin.nth else replace(clause, origin=self._numbered(clause.origin))

    def _numbered(self, origin: Origin) -> Origin:
        if origin.nth:
            return origin
        place = _place(origin)
        self._seen[place] += 1
        key = (self._text, place, self._seen[place])
        if key not in self._numbers:
            self._last[place] += 1
            self._numbers[key] = self._last[place]
        number = self._numbers[key]
        exact = origin.assertion and replace(origin.assertion, nth=number)
        return replace(origin, nth=number, assertion=exact)


def _are(new: Sequence[object], old: Sequence[object]) -> bool:
    """Whether nothing was replaced. Pieces that differ only in their origins are equal: these must be the same."""
    return all(a is b for a, b in zip(new, old, strict=True))


def _origins(program: Program) -> list[Origin]:
    """Where all that can be numbered is from."""
    found = [c.origin for p in program.procedures for c in (*p.requires, *p.ensures)]
    for block in (b for p in program.procedures for i in p.implementations for b in i.blocks):
        for statement in block.statements:
            if isinstance(statement, ParCall):
                found += [call.origin for call in statement.calls]
            elif isinstance(statement, Assert | Call):
                found.append(statement.origin)
    return found


@frozen
class IdentifyAssertions:
    """The pass `identify-assertions`."""

    name: ClassVar[str] = "identify-assertions"
    summary: ClassVar[str] = "each assertion with an identity (done on load, too)"

    def __call__(self, program: Program) -> Program:
        return identify_assertions(program)
