"""Only the last iteration of a loop can fail (deep-asserts paper, §V, Fig. 4): assertions are taken out of loops.

    head: assert x > 0; goto body, end;        head:   goto head#1, head#2;
    body: x := x - 1; goto head;               head#1: assume x > 0; goto body#1;
    end:  return;                              body#1: x := x - 1; goto head;
                                               head#2: assert x > 0; goto body, end;
                                               body:   x := x - 1; assume false; return;
                                               end:    return;

The first copy of the loop runs complete iterations, in which nothing fails. The second is the iteration that does not
come back to the head: it fails or leaves the loop. Loops inside it are treated in the same way, so a block is copied as
often as loops are nested around it. Loops without assertions stay as they are.
"""

from __future__ import annotations

from paddock.frozen import replace
from paddock.ir.cfg import Cfg, Loop
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Implementation
from paddock.ir.rewriting import with_successors
from paddock.ir.stmt import Assert, Assume, Block, Goto, Statement
from paddock.passes.reducible import made_reducible


def failing_last(implementation: Implementation, procedure: str, maker: str) -> Implementation:
    """The implementation without assertions in loops. A block that is new, no copy, says that `maker` has made it."""
    implementation = made_reducible(implementation, procedure)
    blocks = {b.label: b for b in implementation.blocks}
    fresh = FreshNames(blocks)
    for loop in Cfg(implementation).loops:  # outer ones first: then inner ones are still where they were
        if any(_asserts(blocks[label]) for label in loop.body):
            blocks = _peeled(blocks, loop, fresh, maker)
    return replace(implementation, blocks=tuple(blocks.values()))


def _asserts(block: Block) -> bool:
    return any(isinstance(s, Assert) for s in block.statements)


def _peeled(blocks: dict[str, Block], loop: Loop, fresh: FreshNames, maker: str) -> dict[str, Block]:
    """The blocks with complete iterations of the loop before its last. The new head has the old one's label, so that
    jumps to it need not change."""
    again = {label: fresh(label) for label in loop.body}
    last_head = fresh(loop.head)
    inside = set(loop.body)

    def repeated(block: Block) -> Block:
        targets = (loop.head if t == loop.head else again[t] for t in block.successors if t in inside)
        statements = tuple(map(_assumed, block.statements))
        return with_successors(replace(block, label=again[block.label], statements=statements), tuple(targets))

    def last(block: Block) -> Block:
        targets = tuple(t for t in block.successors if t != loop.head)
        return block if targets == block.successors else with_successors(block, targets)

    peeled: dict[str, Block] = {}
    for label, block in blocks.items():
        if label not in inside:
            peeled[label] = block
            continue
        if label == loop.head:
            origin = block.origin.by(Made(maker, Role.NEW_BLOCK))
            peeled[label] = Block(label, (), Goto((again[label], last_head), origin=origin), origin)
            peeled |= {again[inner]: repeated(blocks[inner]) for inner in loop.body}
            peeled[last_head] = replace(last(block), label=last_head)
        else:
            peeled[label] = last(block)
    return peeled


def _assumed(statement: Statement) -> Statement:
    if isinstance(statement, Assert):
        return Assume(statement.condition, statement.attributes, statement.origin)
    return statement
