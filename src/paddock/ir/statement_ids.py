"""Ids of statements, `{:id "name"}`, as texts may have them: each once.

Copies that passes make of a statement have its id. Boogie refuses such a text, so later copies are numbered in it:

    assert {:id "lock"} locked;          assert {:id "lock (copy 2)"} locked;
"""

from __future__ import annotations

from collections import Counter

from paddock.frozen import replace
from paddock.ir.expr import Attribute, Attributes
from paddock.ir.program import Procedure, Program
from paddock.ir.stmt import Assert, Assume, Block, Call, ParCall, Statement


def with_distinct_ids(program: Program) -> Program:
    """The program with different ids for copies of a statement; the same object if there are none."""
    counts = Counter(name for p in program.procedures for s in _statements(p) if (name := _id(s)) is not None)
    if all(count == 1 for count in counts.values()):
        return program
    seen: Counter[str] = Counter()

    def statement(s: Statement) -> Statement:
        if isinstance(s, ParCall):
            return replace(s, calls=tuple(map(call, s.calls)))
        name = _id(s)
        if name is None or not isinstance(s, Assert | Assume | Call):
            return s
        seen[name] += 1
        return s if seen[name] == 1 else replace(s, attributes=_renamed(s.attributes, f"{name} (copy {seen[name]})"))

    def call(c: Call) -> Call:
        new = statement(c)
        assert isinstance(new, Call)
        return new

    def block(b: Block) -> Block:
        return replace(b, statements=tuple(map(statement, b.statements)))

    def procedure(p: Procedure) -> Procedure:
        bodies = (replace(i, blocks=tuple(map(block, i.blocks))) for i in p.implementations)
        return replace(p, implementations=tuple(bodies))

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


def _statements(procedure: Procedure) -> list[Statement]:
    found: list[Statement] = []
    for implementation in procedure.implementations:
        for block in implementation.blocks:
            for statement in block.statements:
                found += statement.calls if isinstance(statement, ParCall) else (statement,)
    return found


def _id(statement: Statement) -> str | None:
    """The first id with a name that a statement has."""
    if isinstance(statement, Assert | Assume | Call):
        for attribute in statement.attributes:
            match attribute:
                case Attribute("id", (str(name),)):
                    return name
    return None


def _renamed(attributes: Attributes, name: str) -> Attributes:
    at = next(n for n, a in enumerate(attributes) if a.name == "id" and a.params and isinstance(a.params[0], str))
    return (*attributes[:at], Attribute("id", (name,)), *attributes[at + 1 :])
