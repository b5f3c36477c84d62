"""The blocks of one procedure while they are made, and generators that do not deepen Python's stack.

C decides late whether an operand has effects, so blocks can be taken apart again: `mark` remembers a place in the block
that is being filled, and `split`, `insert` and `kept` act on what has been emitted since.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from paddock.ir.build import FALSE, TRUE
from paddock.ir.expr import Attribute, Expr, Lit, Scope, Var
from paddock.ir.modref import assigned
from paddock.ir.origin import NOWHERE, Origin
from paddock.ir.program import VarDecl
from paddock.ir.stmt import Assign, Assume, Block, Call, Goto, Return, Statement, Transfer
from paddock.ir.types import Type
from paddock.ir.walk import variables

Result = TypeVar("Result")

# A computation that may ask for the result of another one by yielding it.
Steps = Generator["Steps[Any]", Any, Result]

PARTITION = (Attribute("partition"),)
ALWAYS = (Attribute("always"),)  # on assumptions about values that no execution violates


def run(steps: Steps[Result]) -> Result:
    """The result of a computation; however deep it nests, Python's stack does not."""
    stack: list[Steps[Any]] = [steps]
    result: Any = None
    while stack:
        try:
            asked = stack[-1].send(result)
        except StopIteration as end:
            stack.pop()
            result = end.value
        else:
            stack.append(asked)
            result = None
    return result  # type: ignore[no-any-return]


class Names:
    """Gives names that are not in use yet: the one asked for, or that with a number behind it."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def __call__(self, base: str) -> str:
        name, stem = base, base.removesuffix(".1")
        while name in self._taken:
            number = self._last[stem] = self._last.get(stem, 1) + 1
            name = f"{stem}.{number}"
        self._taken.add(name)
        return name


@dataclass(frozen=True, slots=True)
class Mark:
    """A place between two statements: the block (by its number) and how many statements stand before it."""

    block: int
    statement: int


@dataclass(slots=True)
class _Open:
    """A block that is being filled, or has been and can still be changed."""

    label: str
    origin: Origin
    statements: list[Statement]
    transfer: Transfer | None = None


class Blocks:
    """The blocks and local variables of one procedure, in the order in which they are made."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.origin = NOWHERE  # of the statement that is being lowered
        self.locals: dict[str, VarDecl] = {}
        self._blocks: list[_Open] = []
        self._unused_results: set[Var] = set()  # of calls
        self._labels = Names()
        self._names = Names(taken)

    # --- names -------------------------------------------------------------------------------------------

    def label(self, base: str) -> str:
        """A label that is not in use, named after the line of the source that it is made for."""
        return self.exact_label(f"{base}.{self.origin.line}")

    def exact_label(self, base: str) -> str:
        return self._labels(base)

    def formal(self, name: str, type_: Type) -> Var:
        """A new parameter or result, called `name` or nearly so."""
        return Var(self._names(name), type_, Scope.LOCAL)

    def declare(self, name: str, type_: Type, origin: Origin = NOWHERE) -> Var:
        """A new local variable, called `name` or nearly so."""
        var = self.formal(name, type_)
        self.locals[var.name] = VarDecl(var, origin=origin)
        return var

    def temporary(self, type_: Type, purpose: str = "t") -> Var:
        return self.declare(f"{purpose}.1", type_)

    # --- filling blocks ----------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return bool(self._blocks) and self._blocks[-1].transfer is None

    def open(self, label: str) -> None:
        """Start a block; one that is still open falls through into it."""
        if self.is_open:
            self.close(Goto((label,), origin=self.origin))
        self._blocks.append(_Open(label, self.origin, []))

    def close(self, transfer: Transfer) -> None:
        """End the block; nothing ends where no block is open, for code that is never reached."""
        if self.is_open:
            self._blocks[-1].transfer = transfer

    def emit(self, statement: Statement) -> None:
        if not self.is_open:
            self.open(self.label("unreached"))
        self._blocks[-1].statements.append(statement)

    def note_last(self, note: int) -> None:
        """Put a note on what has been emitted last."""
        last = self._blocks[-1].statements[-1]
        self._blocks[-1].statements[-1] = replace(last, origin=last.origin.noted(note))

    def assign(self, target: Var, value: Expr, note: int | None = None) -> None:
        """An assignment; the result of a call that has just been made goes directly where it belongs."""
        origin = self.origin if note is None else self.origin.noted(note)
        if self.is_fresh_result(value):
            assert isinstance(value, Var)
            last = self._blocks[-1].statements[-1]
            assert isinstance(last, Call)
            self._unused_results.remove(value)
            del self.locals[value.name]
            noted = last.origin if note is None else last.origin.noted(note)
            self._blocks[-1].statements[-1] = replace(last, results=(target,), origin=noted)
            return
        self.emit(Assign((target,), (value,), origin=origin))

    def note_of_last(self) -> int:
        """The note on what has been emitted last."""
        return self._blocks[-1].statements[-1].origin.note

    def is_fresh_result(self, value: Expr) -> bool:
        """Whether a value is the result of a call that has just been made, and used nowhere yet."""
        last = self._blocks[-1].statements[-1] if self.is_open and self._blocks[-1].statements else None
        return isinstance(last, Call) and last.results == (value,) and value in self._unused_results

    def result(self, type_: Type) -> Var:
        """A temporary for a result of the call that comes next."""
        var = self.temporary(type_, "result")
        self._unused_results.add(var)
        return var

    def goto(self, *labels: str) -> None:
        self.close(Goto(labels, origin=self.origin))

    def fork(self, condition: Expr, then: str, otherwise: str) -> None:
        """Go one way or the other; the ways start with `enter`."""
        if condition is TRUE or condition is FALSE:
            self.goto(then if condition is TRUE else otherwise)
        else:
            self.goto(then, otherwise)

    def enter(self, label: str, condition: Expr, note: int = 0) -> None:
        """Start a block that is reached only under a condition."""
        self.open(label)
        if condition is not TRUE:
            self.emit(Assume(condition, PARTITION, self.origin.noted(note) if note else self.origin))

    def stop(self) -> None:
        """Nothing comes after this: the program has ended."""
        self.emit(Assume(FALSE, origin=self.origin))
        self.close(Return(origin=self.origin))

    # --- taking blocks apart -------------------------------------------------------------------------------

    def mark(self) -> Mark:
        if not self.is_open:
            self.open(self.label("unreached"))
        return Mark(len(self._blocks) - 1, len(self._blocks[-1].statements))

    def unchanged(self, mark: Mark) -> bool:
        """Whether nothing has been emitted since, but for what holds anyway."""
        if not self.is_open or self.mark().block != mark.block:
            return False
        return all(isinstance(s, Assume) and s.attributes == ALWAYS for s in self.since(mark))

    def since(self, mark: Mark) -> Iterable[Statement]:
        """What has been emitted since."""
        yield from self._blocks[mark.block].statements[mark.statement :]
        for block in self._blocks[mark.block + 1 :]:
            yield from block.statements

    def insert(self, mark: Mark, statement: Statement) -> Mark:
        """Put a statement where the mark is; the mark behind it."""
        self._blocks[mark.block].statements.insert(mark.statement, statement)
        return Mark(mark.block, mark.statement + 1)

    def split(self, mark: Mark, label: str, *, closed_by: Transfer) -> None:
        """What has been emitted since becomes a block of its own; the one before it ends."""
        old = self._blocks[mark.block]
        rest = _Open(label, self.origin, old.statements[mark.statement :], old.transfer)
        del old.statements[mark.statement :]
        old.transfer = closed_by
        self._blocks.insert(mark.block + 1, rest)

    def kept(self, value: Expr, mark: Mark) -> tuple[Expr, Mark]:
        """A value as it was at a mark, whatever has been emitted since; it is saved there if it may have changed."""
        if not self.may_differ(value, mark):
            return value, mark
        saved = self.temporary(value.type)
        return saved, self.insert(mark, Assign((saved,), (value,), origin=self.origin))

    def lasting(self, value: Expr) -> Expr:
        """A value as it is now, whatever is written to memory and to global variables later."""
        return self.frozen(value, None)

    def frozen(self, value: Expr, changing: Container[Var] | None) -> Expr:
        """A value as it is now, although some variables (or else any that are global) change before it is used."""
        if isinstance(value, Lit):
            return value
        if not any(var.scope is Scope.GLOBAL if changing is None else var in changing for var in variables(value)):
            return value
        saved = self.temporary(value.type)
        self.emit(Assign((saved,), (value,), origin=self.origin))
        return saved

    def may_differ(self, value: Expr, mark: Mark) -> bool:
        """Whether what has been emitted since a mark may have changed a value."""
        if isinstance(value, Lit) or self.unchanged(mark):
            return False
        used = variables(value)
        changed = {var for statement in self.since(mark) for var in assigned(statement)}
        calls = any(isinstance(statement, Call) for statement in self.since(mark))
        return any(var in changed or (calls and var.scope is Scope.GLOBAL) for var in used)

    def move_to_front(self, label: str) -> None:
        """Let the procedure start with the block of a label; those made after it go with it."""
        at = next(n for n, block in enumerate(self._blocks) if block.label == label)
        self._blocks = self._blocks[at:] + self._blocks[:at]

    # --- the result ----------------------------------------------------------------------------------------

    def finished(self) -> tuple[Block, ...]:
        """The blocks that can be reached, without those that only go on to another."""
        by_label = {b.label: b for b in self._blocks}
        ends: dict[str, str] = {}
        for block in self._blocks:
            if isinstance(block.transfer, Goto):
                targets = dict.fromkeys(_end_of(label, by_label, ends) for label in block.transfer.targets)
                block.transfer = replace(block.transfer, targets=tuple(targets))
        reached: set[str] = set()
        stack = [self._blocks[0].label]
        while stack:
            label = stack.pop()
            if label in reached:
                continue
            reached.add(label)
            transfer = by_label[label].transfer
            if isinstance(transfer, Goto):
                stack += transfer.targets
        return tuple(_block(b) for b in self._blocks if b.label in reached)


def _end_of(label: str, blocks: dict[str, _Open], ends: dict[str, str]) -> str:
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


def _block(block: _Open) -> Block:
    assert block.transfer is not None
    return Block(block.label, tuple(block.statements), block.transfer, block.origin)
