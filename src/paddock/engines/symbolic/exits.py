"""What the exits of a loop depend on: a loop goes on by itself while that changes.

A loop over a text leaves when it sees the end. That one character is like the one before says nothing, if it was
found at another place: the place is among what the exit depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paddock.engines.symbolic.order import Place
from paddock.ir.build import FALSE
from paddock.ir.expr import Expr, Var
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Return, Statement
from paddock.ir.types import Map
from paddock.ir.walk import variables


def deciding(blocks: Mapping[str, Block], places: Mapping[str, Place], head: str) -> tuple[Var, ...]:
    """The variables of a loop's body that decide, by data or in the next condition around, whether it is left. What is
    in memory changes for many reasons, so that maps do not count."""
    inside = [block for label, block in blocks.items() if label in places and head in places[label].heads]
    labels = {block.label for block in inside}
    found: dict[Var, None] = {}
    for block in inside:
        for target in block.successors:
            if target not in labels:
                found.update(dict.fromkeys(_assumed(blocks[target])))
    assigned: set[Var] = set()
    known = -1
    while known < len(found):
        known = len(found)
        for block in inside:
            for targets, sources in _flows(block):
                changed = [v for v in targets if v in found]
                if changed:
                    assigned.update(changed)
                    found.update(dict.fromkeys((*sources, *_assumed(block))))
    return tuple(sorted(assigned, key=lambda v: (v.scope.value, v.name)))


def returning(blocks: Mapping[str, Block]) -> frozenset[str]:
    """The blocks from which a procedure may return: a way out of a loop that only leads to a failure is none."""
    sources: dict[str, list[str]] = {}
    for label, block in blocks.items():
        for target in block.successors:
            sources.setdefault(target, []).append(label)
    ends = {label for label, block in blocks.items() if any(_blocks(s) for s in block.statements)}
    waiting = [label for label, block in blocks.items() if isinstance(block.transfer, Return) and label not in ends]
    found = set(waiting)
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            if source not in found and source not in ends:
                found.add(source)
                waiting.append(source)
    return frozenset(found)


def _blocks(statement: Statement) -> bool:
    return isinstance(statement, Assert | Assume) and statement.condition is FALSE


def _assumed(block: Block) -> list[Var]:
    """The variables of the condition under which a block is entered."""
    first = block.statements[0] if block.statements else None
    return _scalars(first.condition) if isinstance(first, Assume) else []


def _flows(block: Block) -> Iterator[tuple[tuple[Var, ...], list[Var]]]:
    """Variables that get new values, and those that the values are made of."""
    for statement in block.statements:
        if isinstance(statement, Assign):
            for target, value in zip(statement.targets, statement.values, strict=True):
                yield (target,), _scalars(value)
        elif isinstance(statement, Call):
            yield statement.results, _scalars(*statement.args)


def _scalars(*expressions: Expr) -> list[Var]:
    return [v for v in variables(*expressions) if not isinstance(v.type, Map)]
