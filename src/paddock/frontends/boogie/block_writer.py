"""Blocks as they are written: labels, the block that is open, and the statements in it."""

from __future__ import annotations

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.problems import Problems
from paddock.frontends.source import Source
from paddock.ir.stmt import Block, Goto, Statement, Transfer


class BlockWriter:
    """The blocks of one body. What is simple goes to `statements`, which are those of the open block."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self.blocks: list[Block] = []
        self.label: str | None = None  # of the block being filled; None after a transfer
        self.statements: list[Statement] = []
        self.user_label: str | None = None  # the label that a following `while` or `if` answers to
        self.user_labels: set[str] = set()
        self._block_pos = 0
        self._taken: set[str] = set()
        self._counter = 0

    def collect_labels(self, statements: list[s.StatementSyntax]) -> None:
        """Note the labels of a body, which the others must differ from."""
        found: list[s.LabelSyntax] = []
        stack = [statements]
        while stack:
            for statement in stack.pop():
                if isinstance(statement, s.LabelSyntax):
                    found.append(statement)
                elif isinstance(statement, s.WhileSyntax):
                    stack.append(statement.body)
                elif isinstance(statement, s.IfSyntax):
                    stack += [statement.then, statement.otherwise or []]
        labels = {label.name for label in found}
        if len(labels) < len(found):
            self._refuse_repeated(found)
        self.user_labels = labels
        self._taken = set(labels)

    def _refuse_repeated(self, labels: list[s.LabelSyntax]) -> None:
        seen: set[str] = set()
        for label in sorted(labels, key=lambda label: label.pos):
            if label.name in seen:
                self._problems.add(label.pos, f"the label '{label.name}' is already defined")
            seen.add(label.name)

    def new_label(self, suffix: str = "") -> str:
        while True:
            label = f"anon{self._counter}{suffix}"
            self._counter += 1
            if label not in self._taken:
                self._taken.add(label)
                return label

    def open(self, label: str, pos: int) -> None:
        """Start a block; the one before it, if still open, falls through into it."""
        if self.label is not None:
            self.close(Goto((label,), (), self._source.origin(pos)))
        self.label, self._block_pos, self.statements = label, pos, []

    def ensure_open(self, pos: int) -> None:
        """Start a block if none is open."""
        if self.label is None:
            self.open(self.new_label(), pos)

    def close(self, transfer: Transfer) -> None:
        assert self.label is not None
        origin = self._source.origin(self._block_pos)
        self.blocks.append(Block(self.label, tuple(self.statements), transfer, origin))
        self.label = None

    def transfer(self, transfer: Transfer, pos: int) -> None:
        if self.label is None:
            self.open(self.new_label(), pos)
        self.close(transfer)
        self.user_label = None
