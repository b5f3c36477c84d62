"""Marks in the blocks of a procedure, and values as they were there.

C decides late whether an operand has effects, so blocks can be taken apart again: `mark` remembers a place in the block
that is being filled, and `split`, `insert` and `kept` act on what has been emitted since.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from paddock.frontends.c.lowering.blocks import ALWAYS, Blocks, OpenBlock
from paddock.frozen import frozen
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.modref import assigned
from paddock.ir.stmt import Assign, Assume, Call, Statement, Transfer
from paddock.ir.walk import variables


@frozen
class Mark:
    """A place between two statements: the block (by its number) and how many statements stand before it."""

    block: int
    statement: int


@frozen
class Marks:
    """Looks at, and changes, what has been emitted since a mark."""

    blocks: Blocks

    def mark(self) -> Mark:
        self.blocks.ensure_open()
        made = self.blocks.made
        return Mark(len(made) - 1, len(made[-1].statements))

    def unchanged(self, mark: Mark) -> bool:
        """Whether nothing has been emitted since, but for what holds anyway."""
        if not self.blocks.is_open or len(self.blocks.made) - 1 != mark.block:
            return False
        return all(isinstance(s, Assume) and s.attributes == ALWAYS for s in self.since(mark))

    def since(self, mark: Mark) -> Iterable[Statement]:
        """What has been emitted since."""
        yield from self.blocks.made[mark.block].statements[mark.statement :]
        for block in self.blocks.made[mark.block + 1 :]:
            yield from block.statements

    def insert(self, mark: Mark, statement: Statement) -> Mark:
        """Put a statement where the mark is; the mark behind it."""
        self.blocks.made[mark.block].statements.insert(mark.statement, statement)
        return Mark(mark.block, mark.statement + 1)

    def split(self, mark: Mark, label: str, *, closed_by: Transfer) -> None:
        """What has been emitted since becomes a block of its own; the one before it ends."""
        old = self.blocks.made[mark.block]
        rest = OpenBlock(label, self.blocks.origin, old.statements[mark.statement :], old.transfer)
        del old.statements[mark.statement :]
        old.transfer = closed_by
        self.blocks.made.insert(mark.block + 1, rest)

    # --- values as they were -------------------------------------------------------------------------------

    def kept(self, value: Expr, mark: Mark) -> tuple[Expr, Mark]:
        """A value as it was at a mark, whatever has been emitted since; it is saved there if it may have changed."""
        if not self.may_differ(value, mark):
            return value, mark
        saved = self.blocks.locals.temporary(value.type)
        return saved, self.insert(mark, Assign((saved,), (value,), origin=self.blocks.origin))

    def lasting(self, value: Expr) -> Expr:
        """A value as it is now, whatever is written to memory and to global variables later."""
        return self.frozen(value, None)

    def frozen(self, value: Expr, changing: Container[Var] | None) -> Expr:
        """A value as it is now, although some variables (or else any that are global) change before it is used."""
        if isinstance(value, Lit):
            return value
        if not any(var.scope is Scope.GLOBAL if changing is None else var in changing for var in variables(value)):
            return value
        saved = self.blocks.locals.temporary(value.type)
        self.blocks.put(saved, value)
        return saved

    def may_differ(self, value: Expr, mark: Mark) -> bool:
        """Whether what has been emitted since a mark may have changed a value."""
        if isinstance(value, Lit) or self.unchanged(mark):
            return False
        used = variables(value)
        changed = {var for statement in self.since(mark) for var in assigned(statement)}
        calls = any(isinstance(statement, Call) for statement in self.since(mark))
        return any(var in changed or (calls and var.scope is Scope.GLOBAL) for var in used)
