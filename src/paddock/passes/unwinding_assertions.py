"""Loops that must not complete more than some number of iterations: each counts them, and asserts that.

    head:  goto body, done;             enter: n := 0;  goto head;
    body:  …; goto head;                head:  goto body, done;
                                        body:  …; goto again;
                                        again: assert n < N;  n := n + 1;  goto head;

A search that cuts loops off after N complete iterations and finds that no such assertion can fail has cut off nothing.
Recursion is counted likewise (`recursion_assertions.py`).
"""

from __future__ import annotations

from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.build import compare, int_lit
from paddock.ir.cfg import Cfg, Loop
from paddock.ir.expr import App, Attribute, Op
from paddock.ir.names import FreshNames
from paddock.ir.origin import Made, Role
from paddock.ir.program import Implementation, Procedure, Program, VarDecl, local_var
from paddock.ir.rewriting import declared_in, with_successors
from paddock.ir.stmt import Assert, Assign, Block, Goto, Statement
from paddock.ir.types import INT
from paddock.passes.recursion_assertions import recursion_assertions
from paddock.passes.reducible import made_reducible

KIND = "unwinding"
MADE = Made(KIND, Role.CHECK)


def unwinding_assertions(program: Program, iterations: int, activations: int) -> Program:
    """The program, which has an entry, in which no loop may complete more than so many iterations, and no procedure may
    have more than so many activations on the stack."""
    program = recursion_assertions(program, activations, KIND)
    outer = {declaration.name for group in (program.globals, program.constants) for declaration in group}
    return replace(program, procedures=tuple(_with_assertions(p, iterations, outer) for p in program.procedures))


def _with_assertions(procedure: Procedure, iterations: int, outer: set[str]) -> Procedure:
    names = FreshNames([*outer, *(declaration.name for declaration in declared_in(procedure))])
    bodies = tuple(_counted(i, procedure, iterations, names) for i in procedure.implementations)
    return procedure if bodies == procedure.implementations else replace(procedure, implementations=bodies)


def _counted(body: Implementation, procedure: Procedure, iterations: int, names: FreshNames) -> Implementation:
    if not Cfg(body).is_reducible:
        body = made_reducible(body, procedure.name)
    cfg = Cfg(body)
    if not cfg.loops:
        return body
    labels = FreshNames(cfg.blocks)
    before: dict[str, tuple[Block, Block]] = {}  # the blocks before a head: on the way in, and for each iteration
    counters = []
    for loop in cfg.loops:
        counter = VarDecl(local_var(names("iterations"), INT))
        counters.append(counter)
        before[loop.head] = _blocks_before(loop, cfg, counter, iterations, labels)
    inside = {loop.head: set(loop.body) for loop in cfg.loops}
    blocks: list[Block] = []
    for block in body.blocks:
        if block.label in before:
            # The way in comes first: the head may be where the body starts.
            blocks += before[block.label]
        targets = tuple(
            before[target][block.label in inside[target]].label if target in before else target
            for target in block.successors
        )
        blocks.append(with_successors(block, targets) if targets != block.successors else block)
    return replace(body, locals=(*body.locals, *counters), blocks=tuple(blocks))


def _blocks_before(loop: Loop, cfg: Cfg, counter: VarDecl, iterations: int, labels: FreshNames) -> tuple[Block, Block]:
    origin = cfg.blocks[loop.head].origin
    var = counter.var
    message = f"the loop at {origin} completes more than {iterations} iterations"
    attributes = (Attribute("kind", (KIND,)), Attribute("msg", (message,)))
    start: list[Statement] = [Assign((var,), (int_lit(0),), origin=origin.by(MADE))]
    count: list[Statement] = [
        Assert(compare(Op.LT, var, int_lit(iterations)), attributes, origin.by(MADE)),
        Assign((var,), (App(Op.ADD, (var, int_lit(1)), INT),), origin=origin.by(MADE)),
    ]
    jump = Goto((loop.head,), origin=origin)
    return (
        Block(labels(f"{loop.head}_enter"), tuple(start), jump, origin),
        Block(labels(f"{loop.head}_again"), tuple(count), jump, origin),
    )


@frozen
class UnwindingAssertions:
    """The pass `unwinding-assertions`."""

    iterations: int = 7
    activations: int = 8
    name: ClassVar[str] = "unwinding-assertions"
    summary: ClassVar[str] = "loops and recursion beyond a bound as assertions that fail"

    def __call__(self, program: Program) -> Program:
        return unwinding_assertions(program, self.iterations, self.activations)
