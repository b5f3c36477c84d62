"""Replaying a path, read off a model of the prepared program, on the program as the user wrote it.

The prepared program has loops as procedures, contracts as assertions and an error bit; its activations and
blocks still bear the names of those they were made from. So the path says which blocks of the original are
visited, in order, and that is all the interpreter needs, with the values of what is arbitrary.
"""

from __future__ import annotations

from dataclasses import dataclass

from paddock.ir.entry import entry_name
from paddock.ir.expr import Var
from paddock.ir.program import Procedure, Program, find_attribute
from paddock.ir.stmt import Block, Call, Goto
from paddock.trace.interpreter import Interpreter, Limits
from paddock.trace.oracle import ScriptedOracle
from paddock.trace.path import Activation, Path, Visit
from paddock.trace.run import Run
from paddock.trace.values import Undecided, Value
from paddock.trace.world import World

# A path is as long as it is; the interpreter only has to be stopped if it strays from it.
_LIMITS = Limits(steps=10_000_000)


def replay(original: Program, prepared: Program, path: Path, world: World) -> Run:
    """Run the original along a path of the prepared program."""
    script = _Script(original, prepared, world)
    script.write(path)
    return Interpreter(original, world).run(ScriptedOracle(script.choices, script.values), limits=_LIMITS)


@dataclass(slots=True)
class _Frame:
    """An activation of the original that the script is in: the last block visited."""

    procedure: Procedure
    blocks: dict[str, Block]
    last: str | None = None


@dataclass(slots=True)
class _Cursor:
    """Where the script is in an activation of the prepared program."""

    activation: Activation
    blocks: dict[str, Block]
    frame: _Frame | None  # None for code that the original does not have
    opens_frame: bool
    visit: int = 0
    statement: int = 0
    announced: bool = False


class _Script:
    """The answers to what the interpreter will ask, in order."""

    def __init__(self, original: Program, prepared: Program, world: World) -> None:
        self.original = original
        self.prepared = prepared
        self.world = world
        self.choices: list[str] = []
        self.values: list[Value] = []

    def write(self, path: Path) -> None:
        entry = self.original.procedure_named[entry_name(self.original)]
        for declaration in (*self.original.globals, *entry.params):
            self._value(declaration.var, path.inputs)
        stack = [self._enter(path.root, None)]
        while stack:
            called = self._advance(stack[-1])
            if called is None:
                stack.pop()
            else:
                stack.append(self._enter(called, stack[-1].frame))

    def _value(self, var: Var, known: dict[Var, Value]) -> None:
        value = known.get(var)
        if value is None:
            try:
                value = self.world.default(var.type)
            except Undecided:
                value = 0  # a sort without values: nothing can read it
        self.values.append(value)

    def _enter(self, activation: Activation, outer: _Frame | None) -> _Cursor:
        """Start an activation; that of a loop goes on in the frame of the procedure it was part of."""
        prepared = self.prepared.procedure_named[activation.procedure]
        body = prepared.body
        assert body is not None
        blocks = {b.label: b for b in body.blocks}
        if find_attribute(prepared.attributes, "loop"):
            return _Cursor(activation, blocks, outer, False)
        procedure = self.original.procedure_named.get(activation.procedure)
        if procedure is None:
            return _Cursor(activation, blocks, None, False)
        implementation = procedure.implementations[0]
        for declaration in (*procedure.results, *implementation.locals):
            self._value(declaration.var, activation.initial)
        frame = _Frame(procedure, {b.label: b for b in implementation.blocks})
        return _Cursor(activation, blocks, frame, True)

    def _advance(self, cursor: _Cursor) -> Activation | None:
        """Go on in an activation until it calls another; None at its end."""
        visits = cursor.activation.visits
        while cursor.visit < len(visits):
            visit = visits[cursor.visit]
            block = cursor.blocks[visit.label]
            loop_call = _loop_call(block)
            while cursor.statement < len(block.statements):
                k = cursor.statement
                statement = block.statements[k]
                if k > loop_call:
                    # The iterations that a loop procedure has run come before this visit of the loop's head.
                    self._announce(cursor, block)
                cursor.statement += 1
                self._chosen(visit, k, statement)
                if k in visit.calls:
                    return visit.calls[k]
            self._announce(cursor, block)
            cursor.visit += 1
            cursor.statement = 0
            # What an error bit tests is not a block of its own in the original.
            cursor.announced = isinstance(block.transfer, Goto) and block.transfer.origin.made_by == "error-bit"
        return None

    def _announce(self, cursor: _Cursor, block: Block) -> None:
        """Note the visit of a block, once, if the original has it."""
        frame = cursor.frame
        if cursor.announced or frame is None:
            return
        cursor.announced = True
        label = _original_label(block.label, frame.blocks)
        if label is None:
            return
        if frame.last is not None and len(frame.blocks[frame.last].successors) > 1:
            self.choices.append(label)
        frame.last = label

    def _chosen(self, visit: Visit, k: int, statement: object) -> None:
        values = visit.values.get(k)
        if values is None:
            return
        if isinstance(statement, Call):
            callee = self.original.procedure_named[statement.procedure]
            for var in (*callee.modifies, *(r.var for r in callee.results)):
                self._value(var, values)
        else:
            for var in values:
                self._value(var, values)


def _loop_call(block: Block) -> int:
    """Which statement of a loop's head runs its complete iterations; -1 for other blocks."""
    loop_calls = (k for k, s in enumerate(block.statements) if isinstance(s, Call) and s.origin.made_by == "loop")
    return next(loop_calls, -1)


def _original_label(label: str, blocks: dict[str, Block]) -> str | None:
    """The block that a block was made from: itself, or what it is a copy of."""
    while label not in blocks:
        label, hash_, number = label.rpartition("#")
        if not hash_ or not number.isdecimal():
            return None
    return label
