"""The blocks of one procedure while they are made. `marks.py` takes them apart again."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frontends.c.lowering.locals import Locals, numbered_names
from paddock.frozen import mutable, replace
from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Attribute, Expr, Var
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Return, Statement, Transfer
from paddock.ir.types import Type

PARTITION = (Attribute("partition"),)
ALWAYS = (Attribute("always"),)  # on assumptions about values that no execution violates


@mutable
class OpenBlock:
    """A block that is being filled, or has been and can still be changed."""

    label: str
    origin: Origin
    statements: list[Statement]
    transfer: Transfer | None = None


class Blocks:
    """The blocks of one procedure, in the order in which they are made."""

    def __init__(self, locals_: Locals) -> None:
        self.origin = NOWHERE  # of the statement that is being lowered
        self.locals = locals_
        self.made: list[OpenBlock] = []
        self._unused_results: set[Var] = set()  # of calls
        self._labels = numbered_names()

    def label(self, base: str) -> str:
        """A label that is not in use, named after the line of the source that it is made for."""
        return self.exact_label(f"{base}.{self.origin.line}")

    def exact_label(self, base: str) -> str:
        return self._labels(base)

    # --- filling blocks ----------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return bool(self.made) and self.made[-1].transfer is None

    def open(self, label: str) -> None:
        """Start a block; one that is still open falls through into it."""
        if self.is_open:
            self.close(Goto((label,), origin=self.origin))
        self.made.append(OpenBlock(label, self.origin, []))

    def ensure_open(self) -> None:
        """Start a block if none is open, for code that is never reached."""
        if not self.is_open:
            self.open(self.label("unreached"))

    def close(self, transfer: Transfer) -> None:
        """End the block; nothing ends where no block is open, for code that is never reached."""
        if self.is_open:
            self.made[-1].transfer = transfer

    def emit(self, statement: Statement) -> None:
        self.ensure_open()
        self.made[-1].statements.append(statement)

    def assume(self, condition: Expr) -> None:
        """Executions on which a condition does not hold are not looked at."""
        if condition is not TRUE:
            self.emit(Assume(condition, origin=self.origin))

    def havoc(self, *variables: Var) -> None:
        """Variables become arbitrary."""
        self.emit(Havoc(variables, origin=self.origin))

    def assign(self, target: Var, value: Expr, note: int | None = None) -> None:
        """An assignment; the result of a call that has just been made goes directly where it belongs."""
        if self.is_fresh_result(value):
            assert isinstance(value, Var)
            last = self.made[-1].statements[-1]
            assert isinstance(last, Call)
            self._unused_results.remove(value)
            self.locals.drop(value)
            noted = last.origin if note is None else last.origin.noted(note)
            self.made[-1].statements[-1] = replace(last, results=(target,), origin=noted)
            return
        self.emit(Assign((target,), (value,), origin=self.origin if note is None else self.origin.noted(note)))

    def put(self, target: Var, value: Expr) -> None:
        """An assignment of its own, also of the result of a call."""
        self.emit(Assign((target,), (value,), origin=self.origin))

    def note_last(self, note: int) -> None:
        """Put a note on what has been emitted last."""
        last = self.made[-1].statements[-1]
        self.made[-1].statements[-1] = replace(last, origin=last.origin.noted(note))

    def note_of_last(self) -> int:
        """The note on what has been emitted last."""
        return self.made[-1].statements[-1].origin.note

    # --- results of calls ----------------------------------------------------------------------------------

    def result(self, type_: Type) -> Var:
        """A temporary for a result of the call that comes next."""
        var = self.locals.temporary(type_, "result")
        self._unused_results.add(var)
        return var

    def is_fresh_result(self, value: Expr) -> bool:
        """Whether a value is the result of a call that has just been made, and used nowhere yet."""
        last = self.made[-1].statements[-1] if self.is_open and self.made[-1].statements else None
        return isinstance(last, Call) and last.results == (value,) and value in self._unused_results

    # --- jumps -----------------------------------------------------------------------------------------------

    def goto(self, *labels: str) -> None:
        self.close(Goto(labels, origin=self.origin))

    def fork(self, condition: Expr, then: str, otherwise: str) -> None:
        """Go one way or the other; the ways start with `enter`."""
        if condition is TRUE or condition is FALSE:
            self.goto(then if condition is TRUE else otherwise)
        else:
            self.goto(then, otherwise)

    def enter(self, label: str, condition: Expr, note: int = 0) -> OpenBlock:
        """Start a block that is reached only under a condition."""
        self.open(label)
        if condition is not TRUE:
            self.emit(Assume(condition, PARTITION, self.origin.noted(note) if note else self.origin))
        return self.made[-1]

    def stop(self) -> None:
        """Nothing comes after this: the program has ended."""
        self.emit(Assume(FALSE, origin=self.origin))
        self.close(Return(origin=self.origin))


def join(blocks: Blocks, label: str, *ways: OpenBlock) -> None:
    """Start the block where ways come together again, which begin with those blocks. A way that a constant rules out is
    dropped; if it did nothing but fail, it was an assertion (`assert(sizeof(int) == 4)`), which stays as one that
    holds."""
    blocks.open(label)
    for way in ways:
        match way.statements:
            case [Assume(condition=never), Assert(condition=fails) as failing, *_] if never is FALSE and fails is FALSE:
                blocks.emit(replace(failing, condition=TRUE))


def started_with(label: str, blocks: Sequence[OpenBlock]) -> list[OpenBlock]:
    """The blocks with that of a label first; those made after it go with it."""
    at = next(n for n, block in enumerate(blocks) if block.label == label)
    return [*blocks[at:], *blocks[:at]]


def finished(blocks: Sequence[OpenBlock], *, keeps_all: bool = False) -> tuple[Block, ...]:
    """The blocks that can be reached, or all, without those that only go on to another."""
    by_label = {b.label: b for b in blocks}
    ends: dict[str, str] = {}
    for block in blocks:
        if isinstance(block.transfer, Goto):
            targets = dict.fromkeys(_end_of(label, by_label, ends) for label in block.transfer.targets)
            block.transfer = replace(block.transfer, targets=tuple(targets))
    reached: set[str] = set()
    stack = [b.label for b in blocks if b.statements or b is blocks[0]] if keeps_all else [blocks[0].label]
    while stack:
        label = stack.pop()
        if label in reached:
            continue
        reached.add(label)
        transfer = by_label[label].transfer
        if isinstance(transfer, Goto):
            stack += transfer.targets
    return tuple(_block(b) for b in blocks if b.label in reached)


def _end_of(label: str, blocks: dict[str, OpenBlock], ends: dict[str, str]) -> str:
    """Where a jump arrives after it has passed through blocks without statements; `ends` has what is known of that."""
    passed: dict[str, None] = {}
    while label not in passed and label not in ends and not blocks[label].statements:
        match blocks[label].transfer:
            case Goto((target,)):
                passed[label] = None
                label = target
            case _:
                break
    end = ends.get(label, label)
    ends |= dict.fromkeys(passed, end)
    return end


def _block(block: OpenBlock) -> Block:
    assert block.transfer is not None
    return Block(block.label, tuple(block.statements), block.transfer, block.origin)
